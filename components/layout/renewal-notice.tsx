import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

export interface RenewalNoticeProps {
  /** The page's failed queries; without any, the notice is hidden. */
  failed: readonly { readonly error: unknown }[];
  onRetry: () => void;
}

/** Shown above figures that are still visible although their refresh failed. */
export function RenewalNotice({ failed, onRetry }: RenewalNoticeProps) {
  const [first] = failed;
  if (!first) return null;
  return (
    <Notice
      kind="danger"
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Some figures could not be refreshed and may be out of date. {failureSentence(first.error)}
    </Notice>
  );
}
