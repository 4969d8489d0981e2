import type { ReactNode } from "react";
import { type InputPart, inputParts } from "@/components/tool-call/input-parts";
import { CodeBlock } from "@/components/ui/code/code-block";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { CopyButton } from "@/components/ui/copy-button";

export interface ToolInputProps {
  input: Readonly<Record<string, unknown>> | null;
  /** The call's own name on a page with several calls: each region has a name of its own. */
  of?: string;
  /** The agent's own directory, if the page shows it elsewhere: a command that runs there names it no second time. */
  directory?: string;
}

/** A tool call's arguments, each drawn by its meaning. */
export function ToolInput({ input, of, directory }: ToolInputProps) {
  if (input === null) return <p className="text-muted">The call has no readable arguments. The raw input is below.</p>;
  const parts = inputParts(input);
  if (parts.length === 0) return <p className="text-muted">No arguments.</p>;
  return (
    <div className="flex flex-col gap-2">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        <Part key={index} part={part} suffix={of === undefined ? "" : ` of ${of}`} directory={directory} />
      ))}
    </div>
  );
}

interface PartProps {
  part: InputPart;
  suffix: string;
  directory: string | undefined;
}

/** True if a command's folder is the agent's own directory, which is `.` from there. */
const isOwnDirectory = (folder: string, directory: string | undefined): boolean =>
  directory !== undefined && [".", "./", "", directory].includes(folder);

function Part({ part, suffix, directory }: PartProps): ReactNode {
  switch (part.kind) {
    case "command":
      return (
        <>
          <CodeBlock
            code={part.text}
            language="shell"
            label={`Command${suffix}`}
            numbers={part.text.includes("\n")}
            wrap
          />
          {part.cwd === null || isOwnDirectory(part.cwd, directory) ? null : <Path label="In" path={part.cwd} />}
        </>
      );
    case "edit":
      return <DiffBlock before={part.before} after={part.after} label={part.path} />;
    case "file":
      return (
        <>
          <Path label="Writes" path={part.path} />
          <CodeBlock code={part.content} label={`Content${suffix}`} maxHeight={320} />
        </>
      );
    case "path":
      return part.paths.map((path) => <Path key={path} label={part.label} path={path} />);
    case "description":
      return (
        <p className="break-words text-sm">
          <span className="text-muted">Description</span> {part.text}
        </p>
      );
    case "rest":
      return <CodeBlock code={part.json} language="json" label={`Arguments${suffix}`} numbers={false} />;
  }
}

function Path({ label, path }: { label: string; path: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm">
      <span className="shrink-0 text-muted">{label}</span>
      <code className="min-w-0 break-all">{path}</code>
      <CopyButton text={path} label={`Copy ${label.toLowerCase()}`} size="sm" />
    </div>
  );
}
