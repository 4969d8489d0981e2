/** `add_date`: gives the model the current date of this machine. */
import { createContextOutput, createInstructionOutput } from "./context-output.ts";
import type { Builtin } from "./kind.ts";

export const addDate: Builtin = {
  name: "add_date",
  run: () => createContextOutput("turn_start", `Today's date: ${today()}`),
  changes: {
    "2026-11": () => {
      const date = today();
      return createInstructionOutput("turn_start", {
        key: "core/date",
        label: "date",
        content: `Today's date: ${date}`,
        changed_content: `Today's date is now: ${date}`,
      });
    },
  },
};

function today(): string {
  const now = new Date();
  const year = String(now.getFullYear()).padStart(4, "0");
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${day}`;
}
