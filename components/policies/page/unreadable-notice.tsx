import { Notice } from "@/components/ui/notice";
import type { UnreadableRevisionView } from "@/server/policies/schema";

/** The revisions in force that cannot be read, the gates that deny because of it, and the way out. */
export function UnreadableNotice({ unreadable }: { unreadable: readonly UnreadableRevisionView[] }) {
  return unreadable.map(({ revision, gates, problems }) => (
    <Notice key={revision} kind="danger" className="mx-4 mt-2 md:mx-6">
      <p>
        Revision {revision} cannot be read, so it denies every call that the unreadable part may affect
        {gates.length > 0 ? `: ${gates.join(", ")}` : ""}. Correct the draft and publish it, or put an earlier revision
        in force.
      </p>
      <ul className="mt-1 list-disc pl-4">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            <code>{path}</code>: {message}
          </li>
        ))}
      </ul>
    </Notice>
  ));
}

/** The assignments that cannot be read, which bind more agents than they name, and the way out. */
export function UnreadableAssignmentsNotice({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice kind="danger" className="mx-4 mt-2 md:mx-6">
      <p>
        An assignment cannot be read, so the policy is enforced for every agent that it may include. Assign the policy
        again.
      </p>
      <ul className="mt-1 list-disc pl-4">
        {[...new Set(problems)].map((problem) => (
          <li key={problem} className="break-words">
            {problem}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
