/** Our template language as the target of the template cases. */
import { parseTemplate, RenderError, render, TemplateSyntaxError, textOf } from "@quarterdeck/go-template";
import type { Profile } from "../contract/events.ts";
import { templateData } from "../template-data.ts";
import type { Rendered } from "./target.ts";

/** The outcome of a template and an input. Throws any error except syntax and render errors, because it is a defect. */
export function renderedTemplate(template: string, input: Record<string, unknown>, profile: Profile): Rendered {
  try {
    const bytes = render(parseTemplate(template), templateData(input, profile));
    return { kind: "rendered", text: textOf(bytes), bytesHex: Buffer.from(bytes, "latin1").toString("hex") };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return { kind: "not parsed", line: error.line, message: error.message };
    if (error instanceof RenderError) return { kind: "not rendered", message: error.message };
    throw error;
  }
}
