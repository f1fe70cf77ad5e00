// What all pages share: where data scripts leave their data, elements, loading, writing figures.
"use strict";

const Porimon = (function () {
  // Data files are scripts that call these (a page from the disk may not read files).
  const store = { overview: null, matchups: [], matchup: {}, battle: {}, experiences: {}, gameData: {} };
  const registers = {
    overview: (document) => (store.overview = document),
    matchups: (list) => (store.matchups = list),
    matchup: (number, rows) => (store.matchup[number] = rows),
    battle: (document) => (store.battle[document.name] = document),
    experiences: (number, byId) => (store.experiences[number] = byId),
    gameData: (document) => (store.gameData = document),
  };

  // An element. Text is always text: nothing that came from a model or an opponent becomes HTML.
  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return made;
  }

  // The same for drawings inside a page.
  function drawing(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // Load a script that lies beside the page.
  function load(path) {
    return new Promise((resolve, reject) => {
      const script = element("script", { src: path });
      script.addEventListener("load", () => resolve());
      script.addEventListener("error", () => reject(new Error(`${path} is not there`)));
      document.head.append(script);
      script.addEventListener("load", () => script.remove());
    });
  }

  const unknown = "–";
  const write = {
    unknown,
    percent: (share, digits = 1) =>
      share === null || share === undefined ? unknown : `${(100 * share).toFixed(digits)} %`,
    signed: (value) =>
      value === null || value === undefined ? unknown : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`,
    count: (value) =>
      value === null || value === undefined ? unknown : value.toLocaleString("en-US"),
    seconds: (value) =>
      value === null || value === undefined ? unknown : `${value.toFixed(value < 10 ? 2 : 0)} s`,
    dollars: (value) => {
      if (value === null || value === undefined) return unknown;
      if (value === 0 || value >= 1) return `$${value.toFixed(2)}`;
      return `$${Number(value.toPrecision(3))}`;
    },
  };

  return { ...registers, store, element, drawing, load, write, game: {} };
})();
