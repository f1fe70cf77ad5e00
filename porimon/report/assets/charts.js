// The plots of the report, drawn by Plotly from the figures in `data.js`.
// Each function gives traces and a layout; colours come from the style sheet, so that they follow
// the theme.
"use strict";

Porimon.charts = (function () {
  const { write } = Porimon;

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    return {
      text: get("--text"),
      soft: get("--soft"),
      line: get("--line"),
      ground: get("--card"),
      accent: get("--accent"),
      low: get("--heat-low"),
      middle: get("--heat-middle"),
      high: get("--heat-high"),
      series: [1, 2, 3, 4, 5, 6].map((number) => get(`--series-${number}`)),
    };
  }

  function layout(changes) {
    const colour = colours();
    const axis = {
      gridcolor: colour.line,
      linecolor: colour.line,
      zerolinecolor: colour.soft,
      tickfont: { color: colour.soft },
      title: { font: { color: colour.text, size: 13 }, standoff: 12 },
      automargin: true,
      fixedrange: true,
    };
    const { xaxis, yaxis, ...rest } = changes;
    const joined = (extra) => ({ ...axis, ...extra, title: { ...axis.title, ...(extra.title || {}) } });
    return {
      paper_bgcolor: colour.ground,
      plot_bgcolor: colour.ground,
      font: { family: "system-ui, sans-serif", size: 13, color: colour.text },
      margin: { l: 16, r: 20, t: 12, b: 16 },
      hoverlabel: { bgcolor: colour.ground, bordercolor: colour.line, font: { color: colour.text } },
      showlegend: false,
      dragmode: false,
      ...rest,
      xaxis: joined(xaxis),
      yaxis: joined(yaxis),
    };
  }

  function byName(overview) {
    return new Map(overview.analysis.players.map((player) => [player.name, player]));
  }

  // Half of a symmetric interval; no bar where there is none.
  function half(low, high) {
    return low === null || high === null ? 0 : (high - low) / 2;
  }

  function forest(overview) {
    const colour = colours();
    const players = byName(overview);
    const shown = overview.order.map((name) => players.get(name)).filter((p) => p.beta !== null);
    const label = (p) => `${p.name}  <span style="color:${colour.soft}">${overview.letters[p.name]}</span>`;
    return {
      height: 90 + 30 * shown.length,
      traces: [
        {
          type: "scatter",
          mode: "markers",
          x: shown.map((p) => p.beta),
          y: shown.map((p) => p.name),
          error_x: {
            type: "data",
            array: shown.map((p) => half(p.ci_low, p.ci_high)),
            color: colour.accent,
            thickness: 2,
            width: 5,
          },
          marker: {
            size: 10,
            color: shown.map((p) => (p.name === overview.analysis.reference ? colour.ground : colour.accent)),
            line: { color: colour.accent, width: 2 },
          },
          hovertext: shown.map(
            (p) =>
              `${p.name}: β ${write.signed(p.beta)} (${write.signed(p.ci_low)} to ${write.signed(p.ci_high)})`,
          ),
          hoverinfo: "text",
        },
      ],
      layout: layout({
        xaxis: { title: { text: "β (log-odds)" }, zeroline: true, zerolinewidth: 2 },
        yaxis: {
          type: "category",
          categoryorder: "array",
          categoryarray: shown.map((p) => p.name).reverse(),
          tickvals: shown.map((p) => p.name),
          ticktext: shown.map(label),
          tickfont: { color: colour.text },
          range: [-0.6, shown.length - 0.4],
        },
      }),
    };
  }

  function heat(overview) {
    const colour = colours();
    const names = overview.order;
    const place = new Map(names.map((name, index) => [name, index]));
    const empty = () => names.map(() => names.map(() => null));
    const rate = empty();
    const cell = names.map(() => names.map(() => ""));
    const hover = names.map(() => names.map(() => ""));
    for (const m of overview.analysis.matchups) {
      const battles = m.wins_a + m.wins_b + m.ties;
      const both = [
        [m.a, m.b, m.win_rate_a, m.wilson_low, m.wilson_high, m.wins_a, m.wins_b],
        [m.b, m.a, 1 - m.win_rate_a, 1 - m.wilson_high, 1 - m.wilson_low, m.wins_b, m.wins_a],
      ];
      for (const [row, column, share, low, high, won, lost] of both) {
        const [y, x] = [place.get(row), place.get(column)];
        const limits = `${Math.round(100 * low)}–${Math.round(100 * high)}`;
        rate[y][x] = 100 * share;
        cell[y][x] = `<b>${Math.round(100 * share)} %</b><br>${limits}<br>n = ${battles}`;
        hover[y][x] =
          `${row} against ${column}: ${write.percent(share)} (${limits} %)<br>` +
          `${won} won, ${lost} lost, ${m.ties} tied`;
      }
    }
    const dark = document.documentElement.dataset.theme === "dark";
    const texts = [];
    names.forEach((row, y) =>
      names.forEach((column, x) => {
        if (rate[y][x] === null) return;
        const strong = Math.abs(rate[y][x] - 50) > 28;
        texts.push({
          x: column,
          y: row,
          text: cell[y][x],
          showarrow: false,
          font: { size: 11, color: strong || dark ? "#ffffff" : "#1b1f27" },
        });
      }),
    );
    return {
      height: 120 + 62 * names.length,
      width: Math.max(300, 140 + 78 * names.length),
      traces: [
        {
          type: "heatmap",
          x: names,
          y: names,
          z: rate,
          zmin: 0,
          zmax: 100,
          hovertext: hover,
          hoverinfo: "text",
          hoverongaps: false,
          xgap: 3,
          ygap: 3,
          colorscale: [
            [0, colour.low],
            [0.5, colour.middle],
            [1, colour.high],
          ],
          showscale: false,
        },
      ],
      layout: layout({
        annotations: texts,
        xaxis: { side: "top", type: "category", showgrid: false, tickfont: { color: colour.text }, title: { text: "against" } },
        yaxis: { type: "category", showgrid: false, autorange: "reversed", tickfont: { color: colour.text }, ticksuffix: " " },
      }),
      click: (point) => {
        const pair = new URLSearchParams({ one: point.y, other: point.x });
        location.href = `report/battles.html#${pair}`;
      },
    };
  }

  function curve(setting, symbol) {
    return function (overview) {
      const colour = colours();
      const shown = overview.curves.filter((each) => each.setting === setting);
      const symbols = ["circle", "square", "diamond", "triangle-up", "cross", "x"];
      return {
        height: 400,
        traces: shown.map((each, number) => ({
          type: "scatter",
          mode: "lines+markers",
          name: each.title,
          x: each.points.map((point) => point.value),
          y: each.points.map((point) => 100 * point.win_rate),
          error_y: {
            type: "data",
            symmetric: false,
            array: each.points.map((point) => 100 * (point.high - point.win_rate)),
            arrayminus: each.points.map((point) => 100 * (point.win_rate - point.low)),
            thickness: 1.5,
            width: 5,
            color: colour.series[number % colour.series.length],
          },
          line: { color: colour.series[number % colour.series.length], width: 2.5 },
          marker: { size: 9, symbol: symbols[number % symbols.length] },
          hovertext: each.points.map(
            (point) =>
              `${point.player}: ${write.percent(point.win_rate)} ` +
              `(${write.percent(point.low)} to ${write.percent(point.high)}), n = ${point.battles}`,
          ),
          hoverinfo: "text",
        })),
        layout: layout({
          showlegend: true,
          legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
          xaxis: {
            title: { text: symbol },
            tickvals: [...new Set(shown.flatMap((each) => each.points.map((p) => p.value)))].sort((a, b) => a - b),
          },
          yaxis: { title: { text: "win rate (%)" }, rangemode: "normal" },
          shapes: [
            {
              type: "line",
              xref: "paper",
              x0: 0,
              x1: 1,
              y0: 50,
              y1: 50,
              line: { color: colour.soft, width: 1, dash: "dot" },
            },
          ],
        }),
      };
    };
  }

  const MEASURES = {
    cost_per_battle: { title: "cost per battle (US dollars)", write: write.dollars },
    tokens_per_battle: { title: "tokens per battle, in and out", write: (v) => write.count(Math.round(v)) },
    latency_median: { title: "median latency of a call (seconds)", write: write.seconds },
  };

  // Which measures tell something: known for a player, and not 0 for all.
  function measures(overview) {
    return Object.keys(MEASURES).filter((key) => overview.usage.some((each) => each[key]));
  }

  function strength(overview, chosen) {
    const colour = colours();
    const players = byName(overview);
    const measure = chosen || measures(overview)[0];
    const shown = overview.usage
      .map((each) => ({ ...each, ...players.get(each.player), x: each[measure] }))
      .filter((each) => each.x !== null && each.x !== undefined && typeof each.beta === "number");
    if (!measure || !shown.length) return null;
    return {
      height: 420,
      traces: [
        {
          type: "scatter",
          mode: "markers+text",
          x: shown.map((each) => each.x),
          y: shown.map((each) => each.beta),
          text: shown.map((each) => each.player),
          textposition: "middle right",
          textfont: { color: colour.text, size: 13 },
          error_y: {
            type: "data",
            array: shown.map((each) => half(each.ci_low, each.ci_high)),
            color: colour.accent,
            thickness: 1.5,
            width: 4,
          },
          marker: { size: 10, color: colour.accent },
          cliponaxis: false,
          hovertext: shown.map(
            (each) =>
              `${each.player}: β ${write.signed(each.beta)}, ${MEASURES[measure].write(each.x)}`,
          ),
          hoverinfo: "text",
        },
      ],
      layout: layout({
        margin: { l: 16, r: 90, t: 16, b: 16 },
        xaxis: { title: { text: MEASURES[measure].title }, rangemode: "tozero" },
        yaxis: { title: { text: "β (log-odds)" } },
      }),
    };
  }

  return {
    measures,
    kinds: {
      forest,
      heat,
      "curve-alpha": curve("alpha", "α"),
      "curve-window": curve("window", "T"),
      strength,
    },
  };
})();
