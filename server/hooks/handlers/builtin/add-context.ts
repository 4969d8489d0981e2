/** `add_context`: gives the model the policy's own texts, with input values inserted. */
import { GO_FUNCTIONS, parseTemplate } from "@quarterdeck/go-template";
import { goTrim } from "../../contract/trim.ts";
import { renderInSlices } from "../../render-in-slices.ts";
import { templateData } from "../../template-data.ts";
import type { Builtin } from "./kind.ts";

export const addContext: Builtin = {
  name: "add_context",
  async run({ event, profile, input, args, signal }) {
    const data = templateData(input, profile);
    const texts: string[] = [];
    for (const [at, arg] of args.entries()) {
      const template = await tried(`parse arg ${at + 1}`, () => parseTemplate(arg, { functions: GO_FUNCTIONS }));
      const text = await tried(`render arg ${at + 1}`, () => {
        return renderInSlices(template, data, signal, { missingKey: "error" });
      });
      if (goTrim(text) !== "") texts.push(text);
    }
    if (texts.length === 0) return null;
    return { hook_specific_output: { hook_event_name: event, additional_context: texts.join("\n") } };
  },
};

async function tried<Made>(step: string, make: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    throw new Error(`add_context: ${step}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
