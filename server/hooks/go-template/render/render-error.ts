/** The reason why a template that parses cannot be rendered with an input. */
export class RenderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RenderError";
  }
}
