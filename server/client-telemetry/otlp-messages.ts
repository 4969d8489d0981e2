/**
 * The messages of OTLP/HTTP: the parts of the official definitions (opentelemetry-proto 1.x and google.rpc.Status) that
 * are read or written here, decoded by a library. All other fields are skipped as unknown, and so are nested values, so
 * that the depth of nesting costs nothing.
 */
import protobuf from "protobufjs";

const COMMON = `syntax = "proto3";
package opentelemetry.proto.common.v1;
message AnyValue {
  oneof value {
    string string_value = 1;
    bool bool_value = 2;
    int64 int_value = 3;
    double double_value = 4;
  }
}
message KeyValue {
  string key = 1;
  AnyValue value = 2;
}
message InstrumentationScope {
  string name = 1;
  string version = 2;
}`;

const RESOURCE = `syntax = "proto3";
package opentelemetry.proto.resource.v1;
message Resource {
  repeated opentelemetry.proto.common.v1.KeyValue attributes = 1;
}`;

const LOGS = `syntax = "proto3";
package opentelemetry.proto.logs.v1;
message ResourceLogs {
  opentelemetry.proto.resource.v1.Resource resource = 1;
  repeated ScopeLogs scope_logs = 2;
}
message ScopeLogs {
  opentelemetry.proto.common.v1.InstrumentationScope scope = 1;
  repeated LogRecord log_records = 2;
}
message LogRecord {
  fixed64 time_unix_nano = 1;
  fixed64 observed_time_unix_nano = 11;
  opentelemetry.proto.common.v1.AnyValue body = 5;
  repeated opentelemetry.proto.common.v1.KeyValue attributes = 6;
  string event_name = 12;
}`;

const LOGS_SERVICE = `syntax = "proto3";
package opentelemetry.proto.collector.logs.v1;
message ExportLogsServiceRequest {
  repeated opentelemetry.proto.logs.v1.ResourceLogs resource_logs = 1;
}
message ExportLogsServiceResponse {
  ExportLogsPartialSuccess partial_success = 1;
}
message ExportLogsPartialSuccess {
  int64 rejected_log_records = 1;
  string error_message = 2;
}`;

const STATUS = `syntax = "proto3";
package google.rpc;
message Status {
  int32 code = 1;
  string message = 2;
}`;

const root = new protobuf.Root();
for (const text of [COMMON, RESOURCE, LOGS, LOGS_SERVICE, STATUS]) protobuf.parse(text, root);
root.resolveAll();

const SERVICE = "opentelemetry.proto.collector";
const TYPES = {
  logsRequest: `${SERVICE}.logs.v1.ExportLogsServiceRequest`,
  logsResponse: `${SERVICE}.logs.v1.ExportLogsServiceResponse`,
  status: "google.rpc.Status",
} as const;
export type OtlpMessage = keyof typeof TYPES;

/** The message in OTLP's JSON form: camelCase, 64-bit integers as digits. Errors: those of the library. */
export function decodeMessage(name: OtlpMessage, bytes: Uint8Array): unknown {
  const type = root.lookupType(TYPES[name]);
  return type.toObject(type.decode(bytes), { longs: String });
}

export function encodeMessage(name: OtlpMessage, value: Readonly<Record<string, unknown>>): Buffer {
  const type = root.lookupType(TYPES[name]);
  return Buffer.from(type.encode(type.fromObject({ ...value })).finish());
}
