/** The template actions of a judge's prompt, as the lint rules read them. */

const ACTION = /\{\{-?\s*([\s\S]*?)\s*-?\}\}/g;
/** Actions without output. */
const SILENT = /^(?:\/\*|(?:if|else|end|range|with|define|block|template|break|continue)\b|\$\w+\s*:?=)/;
const SHOWN_MAX = 60;
/** The limit of actions. A longer prompt is not checked further. */
const ACTIONS_MAX = 100;

export interface PromptAction {
  /** With its braces. */
  readonly text: string;
  /** Without its braces and the space within. */
  readonly words: string;
  readonly isSilent: boolean;
  readonly before: string;
  readonly after: string;
}

/** The first 100 actions of a prompt. */
export function listActions(prompt: string): PromptAction[] {
  return [...prompt.matchAll(ACTION)].slice(0, ACTIONS_MAX).map((match) => {
    const [text, words = ""] = match;
    const { index } = match;
    return {
      ...{ text, words, isSilent: SILENT.test(words) },
      ...{ before: prompt.slice(0, index), after: prompt.slice(index + text.length) },
    };
  });
}

/** An opening tag, or a quotation or code mark. */
const FENCE = /<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>|```|"""|'''/g;

/** The fence that a prompt writes around an action by hand. */
export function fenceAround({ before, after }: Pick<PromptAction, "before" | "after">): string | undefined {
  for (const { 0: fence, 1: name } of [...before.matchAll(FENCE)].reverse()) {
    if (name === undefined) {
      if (before.split(fence).length % 2 === 0 && after.includes(fence)) return fence;
    } else if (isOpen(before, name) && after.includes(`</${name}`)) return fence;
  }
  return undefined;
}

/** True if a tag was opened more often than closed. */
function isOpen(text: string, name: string): boolean {
  const opened = [...text.matchAll(FENCE)].filter((tag) => tag[1] === name).length;
  return opened > text.split(`</${name}`).length - 1;
}

export const shortenAction = (action: string): string =>
  action.length > SHOWN_MAX ? `${action.slice(0, SHOWN_MAX)}…` : action;
