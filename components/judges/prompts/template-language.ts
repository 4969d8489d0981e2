/** Syntax colouring of Go templates: only the part between braces is code. */
import { StreamLanguage } from "@codemirror/language";
import { isTemplateFunction } from "@quarterdeck/go-template/syntax/functions";

const WORDS = new Set(["if", "else", "end", "range", "with", "define", "template", "block", "break", "continue"]);
const ATOMS = new Set(["true", "false", "nil"]);

interface State {
  place: "prose" | "action" | "comment";
}

export const templateLanguage = StreamLanguage.define<State>({
  name: "go-template",
  startState: () => ({ place: "prose" }),
  token(stream, state) {
    if (state.place === "prose") {
      if (stream.match(/^\{\{-?\s*\/\*/)) {
        state.place = "comment";
        return "comment";
      }
      if (stream.match(/^\{\{-?/)) {
        state.place = "action";
        return "punctuation";
      }
      if (!stream.skipTo("{{")) stream.skipToEnd();
      return null;
    }
    if (state.place === "comment") {
      if (stream.match(/^.*?\*\/\s*-?\}\}/)) state.place = "prose";
      else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^-?\}\}/)) {
      state.place = "prose";
      return "punctuation";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^`[^`]*`?/)) return "string";
    if (stream.match(/^-?\d[\w.]*/)) return "number";
    if (stream.match(/^[.$][\w.]*/)) return "propertyName";
    const [word] = (stream.match(/^[\p{L}_]\w*/u) || []) as readonly (string | undefined)[]; // a match of a pattern
    if (word !== undefined)
      return WORDS.has(word) ? "keyword" : ATOMS.has(word) ? "atom" : isTemplateFunction(word) ? "typeName" : null;
    stream.next();
    return "punctuation";
  },
});
