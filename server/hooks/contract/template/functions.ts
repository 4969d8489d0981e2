/** The functions a template may name. What they do is known where templates are rendered. */
export const TEMPLATE_FUNCTIONS = [
  "and",
  "call",
  "eq",
  "ge",
  "gt",
  "html",
  "index",
  "js",
  "le",
  "len",
  "lt",
  "ne",
  "not",
  "or",
  "print",
  "printf",
  "println",
  "slice",
  "toJSON",
  "truncate",
  "urlquery",
] as const;
export type TemplateFunction = (typeof TEMPLATE_FUNCTIONS)[number];

const KNOWN: ReadonlySet<string> = new Set(TEMPLATE_FUNCTIONS);

export function isTemplateFunction(name: string): name is TemplateFunction {
  return KNOWN.has(name);
}
