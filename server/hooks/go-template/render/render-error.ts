/** The reason why a parsed template cannot be rendered with an input. */
export class RenderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RenderError";
  }
}
