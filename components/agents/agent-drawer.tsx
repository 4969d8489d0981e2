"use client";

import { AgentMenu } from "@/components/agents/agent-menu";
import { agentStatusOf } from "@/components/agents/agent-status";
import { agentStatusSentence, Drift } from "@/components/agents/drift";
import { ApplyingSection } from "@/components/agents/effective-policy-section";
import { Enrolment } from "@/components/agents/enrolment";
import { ExportPolicy } from "@/components/agents/export-policy";
import { KeysSection } from "@/components/agents/keys-section";
import type { NewKey } from "@/components/agents/new-key-dialog";
import { refusedSentence } from "@/components/agents/refused-sentence";
import { TagsSection } from "@/components/agents/tags-section";
import { AgentCoverage } from "@/components/coverage/agent-coverage";
import { Badge } from "@/components/ui/badge";
import { Drawer } from "@/components/ui/drawer";
import { Missing } from "@/components/ui/format/missing";
import { ExactTime, RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { AgentView } from "@/server/agents/schema";

export interface AgentDrawerProps {
  agent: AgentView | null;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onCreated: (created: NewKey) => void;
}

/** One agent: when it was here, what binds it, its keys, and how to bring it aboard. */
export function AgentDrawer({ agent, onClose, onPrevious, onNext, onCreated }: AgentDrawerProps) {
  return (
    <Drawer
      open={agent !== null}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width="lg"
      actions={agent === null ? null : <AgentMenu key={agent.id} agent={agent} onRemoved={onClose} />}
      title={
        <>
          {agent?.name} {agent?.isDemo ? <Badge>demo</Badge> : null} {agent?.retiredAt ? <Badge>retired</Badge> : null}
        </>
      }
      subtitle={
        agent?.lastSeenAt ? (
          <>
            last seen <RelativeTime at={agent.lastSeenAt} />
          </>
        ) : (
          "never seen"
        )
      }
    >
      {agent === null ? null : (
        <div className="flex flex-col gap-6">
          <Facts agent={agent} />
          <ApplyingSection agentId={agent.id} />
          <AgentCoverage agentId={agent.id} />
          <KeysSection key={agent.id} agent={agent} onCreated={onCreated} />
          <TagsSection key={`${agent.id} tags`} agent={agent} />
          <Section title="Enrol it">
            <Enrolment />
          </Section>
        </div>
      )}
    </Drawer>
  );
}

function Facts({ agent }: { agent: AgentView }) {
  const status = agentStatusOf(agent);
  return (
    <div className="flex flex-col gap-3">
      {agent.retiredAt ? (
        <Notice kind="info">
          Retired <RelativeTime at={agent.retiredAt} />: its keys open nothing until it is brought back.
        </Notice>
      ) : null}
      {agent.retiredAt === null && (status === "unbound" || status === "drifted") ? (
        <Notice kind={status === "unbound" ? "danger" : "warning"}>{agentStatusSentence(agent)}</Notice>
      ) : null}
      {agent.refused ? <Notice kind="warning">{refusedSentence(agent.refused)}</Notice> : null}
      <KeyValue
        items={[
          { label: "Policy", value: <Drift agent={agent} /> },
          {
            label: "In force",
            value: agent.revisionInForce === "none" ? "nothing" : agent.revisionInForce,
            mono: true,
          },
          {
            label: "Last used",
            value:
              agent.lastRevision === null ? (
                <Missing reason="no event has been answered yet" />
              ) : agent.lastRevision === "none" || agent.lastRevision === "" ? (
                "nothing"
              ) : (
                agent.lastRevision
              ),
            mono: true,
          },
          { label: "Enrolled", value: <ExactTime at={agent.createdAt} /> },
        ]}
      />
      <div>
        <ExportPolicy agent={agent.name} />
      </div>
      <p className="text-sm">
        <Link className="link" href={`/decisions?q=${encodeURIComponent(`agent:"${agent.name}"`)}`}>
          Its decisions
        </Link>
      </p>
    </div>
  );
}
