import { CodeBlock } from "@/components/ui/code/code-block";
import type { Language } from "@/components/ui/code/tokens";
import { Notice } from "@/components/ui/notice";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { EnrolmentView } from "@/server/agents/schema";

/** The command that enrols a client, and the exact files that it writes. */
export function ClientFiles({ title, view }: { title: string; view: EnrolmentView["client"] }) {
  // The previous answer is shown while the next one loads.
  if (view === undefined) {
    return (
      <Loading label="the files">
        <SkeletonText lines={8} />
      </Loading>
    );
  }
  if (view.problem !== null) return <Notice kind="warning">{view.problem}</Notice>;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Run this where {title} runs; it needs Node. It shows each change as a diff and keeps other settings. Add
        --dry-run to preview, --remove to undo
        {hasTelemetry(view.files) ? ", --no-telemetry to leave out the export of its tokens and costs" : ""}.
      </p>
      <CodeBlock code={view.command} language="shell" label={`Enrol ${title}`} titled numbers={false} wrap />
      <p className="text-muted">
        Without Node, use this shell script. It works only where none of these files exist, and runs only if its
        checksum matches.
      </p>
      <CodeBlock code={view.shell} language="shell" label={`Enrol ${title} without Node`} titled numbers={false} wrap />
      <h3 className="text-md">Files it writes</h3>
      <p className="text-muted">Other settings in these files are not changed.</p>
      {view.files.map(({ path, mode, content }) => (
        <CodeBlock
          key={path}
          code={content}
          language={languageOf(path)}
          label={`${path}, mode ${mode}`}
          titled
          maxHeight={240}
        />
      ))}
    </div>
  );
}

const hasTelemetry = (files: readonly { content: string }[]): boolean =>
  files.some(({ content }) => content.includes("/api/otlp"));

function languageOf(path: string): Language {
  if (path.endsWith(".json")) return "json";
  return path.includes("/hooks/") ? "shell" : "text";
}
