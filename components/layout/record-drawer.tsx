"use client";

import { Link as LinkIcon } from "lucide-react";
import type { ReactNode } from "react";
import { StopButton } from "@/components/layout/stop/stop-button";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { copyText } from "@/components/ui/copy-button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Loading } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";

/** The props by which a list page drives its drawer. */
export interface ListDrawerProps {
  /** `?open=`; null is closed. */
  open: string | null;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

interface RecordOwner {
  readonly agentName: string;
  readonly occurredAt: Date;
  /** With it the agent, or this session of it, can be stopped from the drawer. */
  readonly agentId?: string;
  readonly sessionId?: string;
}

export interface RecordDrawerProps extends ListDrawerProps {
  /** The noun for one record: "decision". */
  noun: string;
  title: ReactNode;
  /** Whose it is and when it happened, once it is here. */
  of?: RecordOwner | undefined;
  width?: "md" | "lg";
  /** The address names no record at all. */
  isUnreadable: boolean;
  query: { error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  skeleton: ReactNode;
  /** Acts on the record, below it. */
  footer?: ReactNode;
  /** The record, once it is here. */
  children: ReactNode;
}

/** One record in a drawer next to its list, with its own address. States: shown, loading, gone, failed. */
export function RecordDrawer(props: RecordDrawerProps) {
  const { noun, title, of, width, isUnreadable, query, skeleton, children, open, ...moves } = props;
  const copyLink = () => {
    copyText(window.location.href)
      .then(() => toast.success("Link copied"))
      .catch(() => toast.error("The browser blocked copying"));
  };
  return (
    <Drawer
      {...moves}
      {...(width ? { width } : {})}
      open={open !== null}
      title={title}
      subtitle={
        of ? (
          <>
            <bdi>{of.agentName}</bdi> · <RelativeTime at={of.occurredAt} />
          </>
        ) : null
      }
      actions={
        <>
          {of?.agentId === undefined ? null : <StopButton target={stopTargetOf(of, of.agentId)} className="mr-1" />}
          <IconButton icon={LinkIcon} label="Copy link" onClick={copyLink} side="bottom" />
        </>
      }
    >
      {children ? (
        children
      ) : isUnreadable || appCodeOf(query.error) === "dispatch_not_found" ? (
        <ErrorState
          title={`This ${noun} is not stored`}
          reason="The link may be incomplete, or the retention period has ended."
          stillWorks="Close this panel to see the stored entries."
        />
      ) : query.isError ? (
        <ErrorState
          title={`The ${noun} could not be loaded`}
          reason={failureSentence(query.error)}
          stillWorks="The stored record is not affected."
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <Loading label={`the ${noun}`} className="flex flex-col gap-6">
          {skeleton}
        </Loading>
      )}
    </Drawer>
  );
}

/**
 * The client chooses a session's id, so the agent is offered first. A record may name a sub-agent; stopping applies to
 * the enrolled agent and all of its sub-agents.
 */
function stopTargetOf({ sessionId }: RecordOwner, agentId: string): StopTarget {
  const agent = { id: agentId, name: "this agent" };
  return { scope: "agent", agent, ...(sessionId ? { sessionId } : {}) };
}

/** A well-formed key without a record, for a disabled query. */
export const NOWHERE = { occurredAt: new Date("2000-01-01T00:00:00Z"), id: "00000000-0000-7000-8000-000000000000" };
