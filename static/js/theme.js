// Colour theme: the system's, else the one chosen here. early.js applies it before the first paint.
import { load, save } from "./storage.js";

const THEMES = ["system", "light", "dark"];

export function startTheme(button) {
  let theme = THEMES.includes(load("theme")) ? load("theme") : "system";
  const apply = () => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Colour theme: ${theme}`);
    button.title = `Colour theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    save("theme", theme === "system" ? null : theme);
    apply();
  });
  apply();
}
