import { CopyButton } from "@/components/ui/copy-button";

const COMMAND = "npm run -s quarterdeck -- sign-in";

/** The command that prints a sign-in link, to copy. */
export function SignInCommand() {
  return (
    <div className="flex items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2.5">
      <code className="min-w-0 flex-1 overflow-x-auto whitespace-pre">{COMMAND}</code>
      <CopyButton text={COMMAND} label="Copy command" size="sm" />
    </div>
  );
}
