import { yaml } from "@codemirror/lang-yaml";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * No person writes deeper nesting. At some thousand levels the parser overflows the stack, and the editor accepts no
 * further change.
 */
const LEVELS_MAX = 200;
/** Text nested that deep is pasted, so it arrives in one change. */
const PIECE_MIN = LEVELS_MAX;

const language = new Compartment();
const OFF: Extension = [];

/** YAML with its colours and folds; plain text while it is nested beyond reading. */
export function shallowYaml(text: string): Extension {
  return [
    language.of(levelsOf([text]) > LEVELS_MAX ? OFF : yaml()),
    EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
      if (!docChanged || isOff(startState) || newDoc.length - startState.doc.length < PIECE_MIN) return null;
      return isDeep(newDoc) ? { effects: language.reconfigure(OFF) } : null;
    }),
    EditorView.updateListener.of(({ docChanged, state, view }) => {
      if (!docChanged || !isOff(state) || isDeep(state.doc)) return;
      // Not in the change itself: there CodeMirror reads the text as it was before.
      queueMicrotask(() => {
        if (isOff(view.state) && !isDeep(view.state.doc)) view.dispatch({ effects: language.reconfigure(yaml()) });
      });
    }),
  ];
}

const isOff = (state: EditorState): boolean => language.get(state) === OFF;
const isDeep = (text: Text): boolean => levelsOf(linesOf(text)) > LEVELS_MAX;

/** At least as many as there are: brackets in texts count too, and so does every `- ` at the beginning of a line. */
export function levelsOf(lines: Iterable<string>): number {
  let open = 0;
  let most = 0;
  for (const line of lines) {
    const lists = /^\s*(?:[-?] )*/.exec(line)?.[0].length ?? 0;
    most = Math.max(most, lists / 2);
    for (let at = 0; at < line.length; at += 1) {
      const code = line.charCodeAt(at);
      if (code === 91 || code === 123) most = Math.max(most, ++open);
      else if (code === 93 || code === 125) open = Math.max(0, open - 1);
    }
  }
  return most;
}

function linesOf(text: Text): Iterable<string> {
  return { [Symbol.iterator]: () => text.iterLines() };
}
