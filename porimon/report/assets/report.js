// The report's first page: sorts its tables, draws its plots, marks where the reader is.
"use strict";

(function () {
  const { element, store, charts } = Porimon;
  const figures = [...document.querySelectorAll("figure.plot")];
  // What fits between the margins of a sheet (A4 or Letter) in CSS pixels.
  const PAPER_WIDTH = 680;
  let measure = null;

  function picture(figure, format) {
    const name = figure.dataset.plot;
    const area = figure.querySelector(".area");
    const { width, height } = area.getBoundingClientRect();
    const scale = format === "png" ? 2 : 1;
    Plotly.downloadImage(area, { format, filename: name, width, height, scale });
  }

  function draw(figure) {
    const area = figure.querySelector(".area");
    const chart = charts.kinds[figure.dataset.plot](store.overview, measure);
    figure.hidden = chart === null;
    if (chart === null) return;
    area.style.height = `${chart.height}px`;
    area.style.minWidth = chart.width ? `${chart.width}px` : "";
    area.style.maxWidth = chart.width ? `${Math.max(chart.width, 720)}px` : "";
    const config = { displayModeBar: false, responsive: true };
    Plotly.react(area, chart.traces, { ...chart.layout, height: chart.height }, config);
    if (chart.click && !area.dataset.clicks) {
      area.dataset.clicks = "yes";
      area.on("plotly_click", (event) => {
        const point = event.points[0];
        if (point.z !== null) chart.click(point);
      });
    }
    area.dataset.drawn = "yes";
  }

  // A plot is drawn when it comes near the window: the first screen need not wait for the rest.
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        setTimeout(draw, 0, entry.target); // one task each: the page stays responsive
      }
    },
    { rootMargin: "300px" },
  );

  function start() {
    for (const figure of figures) {
      const buttons = figure.querySelector(".save");
      buttons.hidden = false;
      buttons.addEventListener("click", (event) => {
        const format = event.target.dataset.save;
        if (format === "csv") {
          const { keys, rows } = store.overview.tables[figure.dataset.of];
          Porimon.save(`${figure.dataset.plot}.csv`, "text/csv", Porimon.csv(keys, rows));
        } else if (format) picture(figure, format);
      });
      near.observe(figure);
    }
    document.addEventListener("themechange", () => {
      for (const figure of figures)
        if (figure.querySelector(".area").dataset.drawn) draw(figure);
    });
    addEventListener("beforeprint", () => {
      for (const folded of document.querySelectorAll("details")) folded.open = true;
      figures.forEach(draw);
      // What scrolls sideways on a screen would be cut off on paper.
      for (const area of document.querySelectorAll(".plot .area")) area.style.zoom = Math.min(1, PAPER_WIDTH / area.scrollWidth);
    });
    addEventListener("afterprint", () => {
      for (const area of document.querySelectorAll(".plot .area")) area.style.zoom = "";
    });
  }

  function offerMeasures() {
    const offered = charts.measures(store.overview);
    const choice = document.querySelector(".choice");
    if (offered.length < 2) return;
    choice.hidden = false;
    for (const input of choice.querySelectorAll("input")) {
      if (!offered.includes(input.value)) input.parentElement.remove();
      input.checked = input.value === offered[0];
    }
    choice.addEventListener("change", (event) => {
      measure = event.target.value;
      draw(choice.closest("figure"));
    });
  }

  // Names in the table of matchups lead to the battles.
  function linkMatchups() {
    for (const row of document.querySelectorAll('[data-table="matchups"] tbody tr')) {
      const [one, other] = [row.cells[0].textContent, row.cells[1].textContent];
      const address = `report/battles.html#${new URLSearchParams({ one, other })}`;
      row.cells[0].replaceChildren(element("a", { href: address }, one));
      row.cells[1].replaceChildren(element("a", { href: address }, other));
    }
  }

  function followReader() {
    const links = new Map(
      [...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]),
    );
    const seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          for (const link of links.values()) link.removeAttribute("aria-current");
          links.get(entry.target.id)?.setAttribute("aria-current", "true");
        }
      },
      { rootMargin: "-20% 0px -70% 0px" },
    );
    for (const id of links.keys()) seen.observe(document.getElementById(id));
  }

  for (const box of document.querySelectorAll(".table-box")) {
    Porimon.sortable(box.querySelector("table"));
    box.append(element("div", { class: "save" }, Porimon.csvButton(box.dataset.table)));
  }
  linkMatchups();
  offerMeasures();
  followReader();
  Porimon.load("report/assets/plotly.min.js").then(start);
})();
