import type { ReactNode } from "react";
import { Missing } from "@/components/ui/format/missing";
import type { DecisionView } from "@/server/decisions/schema";

interface SubjectText {
  /** The short name of the decision's subject, for a table cell. */
  readonly short: string;
  readonly sentence: (excerpt: ReactNode) => ReactNode;
  readonly without: string;
  readonly rest: string;
}

/** The subject of each gate that is not about a tool. */
const SUBJECTS: Readonly<Record<string, SubjectText>> = {
  before_llm_call: {
    short: "model call",
    sentence: (model) => <>A call to the model {model}</>,
    without: "A call to a model whose name was not reported",
    rest: "the conversation is in the raw input below.",
  },
  before_agent_run: {
    short: "agent run",
    sentence: (request) => <>The start of an agent run: {request}</>,
    without: "The start of an agent run",
    rest: "the conversation is in the raw input below.",
  },
  after_agent_complete: {
    short: "agent answer",
    sentence: (answer) => <>The agent's answer: {answer}</>,
    without: "The agent's answer",
    rest: "the whole answer is in the raw input below.",
  },
  skill_content_guard: {
    short: "skill",
    sentence: (name) => <>The text of the skill {name}</>,
    without: "The text of a skill whose name was not reported",
    rest: "it is in the raw input below.",
  },
  prompt_file_guard: {
    short: "prompt file",
    sentence: (path) => <>The text of the prompt file {path}</>,
    without: "The text of a prompt file whose path was not reported",
    rest: "it is in the raw input below.",
  },
};

const subjectOf = (event: string): SubjectText | undefined =>
  Object.hasOwn(SUBJECTS, event) ? SUBJECTS[event] : undefined;

/** The tool; for a gate without a tool, the kind of its subject. */
export function Called({ of: { tool, event } }: { of: Pick<DecisionView, "tool" | "event"> }) {
  if (tool !== "") return <code>{tool}</code>;
  const subject = subjectOf(event);
  if (subject) return <span className="text-muted">{subject.short}</span>;
  return <Missing reason="This decision was not about a tool call." />;
}

/** True if the event decides over something other than a tool call. */
export const hasSubject = (event: string): boolean => subjectOf(event) !== undefined;

/** The subject of a decision without a tool, in a sentence. */
export function Subject({ of: { event, excerpt } }: { of: Pick<DecisionView, "event" | "excerpt"> }) {
  const subject = subjectOf(event);
  if (!subject) return null;
  return (
    <p className="text-muted">
      {excerpt === "" ? subject.without : subject.sentence(<code className="break-words text-text">{excerpt}</code>)};{" "}
      {subject.rest}
    </p>
  );
}
