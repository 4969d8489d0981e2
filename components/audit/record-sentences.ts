/** The sentences about the record itself and what leaves the workspace. */
import { day, minute, sentences } from "@/components/audit/sentence-table";
import { plural } from "@/components/ui/format/count";

export const RECORD_SENTENCES = sentences({
  alert_routes_set: {
    label: "alert routes set",
    says: (e) =>
      `set who is notified of alerts: ${e.routes.length === 0 ? "each person who chose them" : e.routes.map(({ team }) => team).join(", ")}`,
  },
  time_zone_set: {
    label: "time zone set",
    says: (e) =>
      e.fromDay === null
        ? `kept the time zone ${e.timeZone}, and took back a change that had not taken effect`
        : `set the time zone of days and months from ${e.before} to ${e.timeZone}, from ${e.fromDay} on`,
  },
  calls_assigned: {
    label: "calls assigned",
    says: (e) => `${e.person === null ? "removed the assignee of" : "assigned"} ${plural(e.count, "call")}`,
  },
  rule_owner_set: {
    label: "rule owner",
    says: (e) =>
      `${e.person === null ? "removed the owner" : "set the owner"} of the rule ${e.hook}${e.ticket === null ? "" : `, with the ticket ${e.ticket}`}`,
  },
  view_shared: { label: "view shared", says: (e) => `shared the view ${e.name} of ${e.page}` },
  view_unshared: { label: "view removed", says: (e) => `removed the shared view ${e.name} of ${e.page}` },
  demo_removed: {
    label: "demo removed",
    says: (e) =>
      `removed the demo data${e.version === 2 ? `, ${plural(e.count, "dispatch", "dispatches")} of it` : ""}`,
  },
  dispatches_recorded: {
    label: "dispatches",
    says: (e) => `recorded ${plural(e.count, "dispatch", "dispatches")}`,
  },
  checkpoint_key_used: { label: "new key", says: (e) => `signs checkpoints with the key ${e.key} from now on` },
  checkpoints_configured: { label: "checkpoints", says: () => "changed how checkpoints are made" },
  retention_set: { label: "retention", says: () => "changed how long data is kept" },
  dispatches_dropped: {
    label: "dropped",
    says: (e) => `dropped ${plural(e.count + e.unproven, "dispatch", "dispatches")} from before ${day(e.before)}`,
  },
  data_dropped: {
    label: "dropped",
    says: (e) => `dropped ${plural(e.count, "row")} of ${e.data.replace("_", " ")} from before ${day(e.before)}`,
  },
  projections_checked: {
    label: "figures checked",
    says: (e) => {
      if (e.state === "gone") return `did not compare the figures of ${e.day}: their log is gone`;
      const differing = e.differing === 0 ? "equal to the log" : `${plural(e.differing, "row")} not as in the log`;
      return `checked the figures of ${e.day}: ${differing}${e.older === 0 ? "" : `, ${plural(e.older, "dispatch", "dispatches")} of the older rule`}`;
    },
  },
  projections_sealed: {
    label: "figures sealed",
    says: (e) => {
      const rows = e.tables.reduce((sum, { rows: count }) => sum + count, 0);
      const state = {
        equal: "",
        older: ", of an older rule",
        unchecked: ", not compared with it",
        different: `, ${plural(e.differing, "row")} not as in the log`,
      };
      return `sealed the figures of ${e.day} before its log went: ${plural(rows, "row")}${state[e.state]}`;
    },
  },
  hold_placed: { label: "hold placed", says: (e) => `placed a legal hold: ${e.reason}` },
  hold_released: { label: "hold released", says: (e) => `released a legal hold: ${e.reason}` },
  content_erased: {
    label: "erased",
    says: (e) => `erased the content of ${plural(e.dispatches.length / 32, "dispatch", "dispatches")}: ${e.reason}`,
  },
  erasure_requested: { label: "erasure", says: (e) => `asked for content to be erased: ${e.reason}` },
  erasure_finished: {
    label: "erasure",
    says: (e) =>
      `finished an erasure: ${plural(e.erased, "dispatch", "dispatches")} and ${plural(e.copies, "copy", "copies")}` +
      (e.held > 0 ? `, ${plural(e.held, "dispatch", "dispatches")} kept under legal hold` : ""),
  },
  erasure_withdrawn: { label: "erasure", says: () => "withdrew an erasure request" },
  masking_set: {
    label: "masking",
    says: (e) => {
      const asked = e.asked === null ? "" : `, as ${e.asked.name} asked`;
      const reason = e.reason === null ? "" : ` without a second person: ${e.reason}`;
      return e.loses.length === 0 ? "changed what is masked" : `stopped masking ${e.loses.join(", ")}${asked}${reason}`;
    },
  },
  masking_change_asked: {
    label: "masking",
    says: (e) =>
      `${e.isWithdrawn ? "withdrew the request" : "asked a second person"} to stop masking ${e.loses.join(", ")}`,
  },
  masking_change_declined: {
    label: "masking",
    says: (e) => `declined to stop masking ${e.loses.join(", ")}`,
  },
  raw_capture_set: {
    label: "raw capture",
    says: (e) =>
      e.until === null ? "masks inputs again" : `stores inputs unmasked until ${minute(e.until)}: ${e.reason}`,
  },
  webhook_saved: {
    label: "webhook",
    says: (e) => `set the webhook of ${e.host}${e.isEnabled ? "" : ", turned off"}`,
  },
  webhook_removed: { label: "webhook removed", says: (e) => `removed the webhook of ${e.host}` },
  webhook_secret_rotated: { label: "new secret", says: (e) => `gave the webhook of ${e.host} a new secret` },
  webhook_deliveries_settled: {
    label: "deliveries",
    says: (e) =>
      `${e.act === "retried" ? "tried again" : "discarded"} ${plural(e.count, "delivery", "deliveries")} that had failed`,
  },
  stream_saved: {
    label: "stream",
    says: (e) => `set the stream ${e.name} to ${e.host}${e.isEnabled ? "" : ", turned off"}`,
  },
  stream_removed: { label: "stream removed", says: (e) => `removed the stream ${e.name} to ${e.host}` },
  stream_rewound: {
    label: "stream rewound",
    says: (e) => `sends the stream ${e.name} again after entry ${e.to}; it was at ${e.from}`,
  },
  stream_events_resent: {
    label: "stream events sent again",
    says: (e) =>
      `sent ${plural(e.accepted + e.refused, "refused event")} of the stream ${e.name} again: ${e.accepted} accepted`,
  },
  alert_saved: { label: "alert", says: (e) => `set the alert ${e.name}` },
  alert_removed: { label: "alert removed", says: (e) => `removed the alert ${e.name}` },
  alert_snoozed: {
    label: "alert snoozed",
    says: (e) =>
      e.until === null ? `woke the alert ${e.name}` : `snoozed the alert ${e.name} until ${minute(e.until)}`,
  },
});
