import { useCommandLine } from "@/components/access/command-line";
import { CopyButton } from "@/components/ui/copy-button";

/** The command that prints a sign-in link, to copy. */
export function SignInCommand() {
  const command = `${useCommandLine()} sign-in`;
  return (
    <div className="flex items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2.5">
      <code className="min-w-0 flex-1 overflow-x-auto whitespace-pre">{command}</code>
      <CopyButton text={command} label="Copy command" size="sm" />
    </div>
  );
}
