// The pages without a problem on them have only the theme switch.
import { startTheme } from "./theme.js";

startTheme(document.getElementById("theme"));
