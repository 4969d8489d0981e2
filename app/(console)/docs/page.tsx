import type { Metadata } from "next";
import { documentList } from "@/app/prefetch";
import { DocumentsPage } from "@/components/documents/documents-page";

export const metadata: Metadata = { title: "Documentation" };

export default function Page() {
  return <DocumentsPage documents={documentList()} />;
}
