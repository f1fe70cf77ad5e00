// Light or dark: the reader's choice, else the system's. Runs before the page is drawn.
"use strict";

(function () {
  const KEY = "porimon-theme";
  const NEXT = { auto: "light", light: "dark", dark: "auto" };
  const system = matchMedia("(prefers-color-scheme: dark)");

  function stored() {
    try {
      return localStorage.getItem(KEY) || "auto";
    } catch (refused) {
      return "auto"; // a browser may forbid storage to pages from the disk
    }
  }

  function apply(choice) {
    const dark = choice === "dark" || (choice === "auto" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.dispatchEvent(new CustomEvent("themechange"));
  }

  function label(button, choice) {
    button.textContent = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" }[choice];
  }

  let choice = stored();
  apply(choice);
  system.addEventListener("change", () => apply(choice));
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(choice));
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    label(button, choice);
    button.hidden = false;
    button.addEventListener("click", () => {
      choice = NEXT[choice];
      try {
        localStorage.setItem(KEY, choice);
      } catch (refused) {
        // the choice then lasts as long as the page
      }
      label(button, choice);
      apply(choice);
    });
  });
})();
