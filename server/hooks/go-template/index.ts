/** The public module for templates. `/syntax/parse` and `/syntax/functions` can also be imported separately and run in the browser. */

export { type RenderOptions, randomBoundary, render, renderInSteps } from "./render/render.ts";
export { RenderError } from "./render/render-error.ts";
export {
  boolValue,
  type Field,
  intValue,
  jsonValue,
  mapValue,
  type Struct,
  stringValue,
  type Value,
} from "./render/values.ts";
export { bytesOf, textOf } from "./syntax/bytes.ts";
export { GO_FUNCTIONS } from "./syntax/functions.ts";
export type { Template } from "./syntax/nodes.ts";
export { parseTemplate, TemplateSyntaxError, templateProblem } from "./syntax/parse.ts";
