/** `add_date`: the day it is here, for the model. */
import { createContextOutput } from "./context-output.ts";
import type { Builtin } from "./kind.ts";

export const addDate: Builtin = {
  name: "add_date",
  run() {
    const now = new Date();
    const year = String(now.getFullYear()).padStart(4, "0");
    const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
    return createContextOutput("turn_start", `Today's date: ${year}-${month}-${day}`);
  },
};
