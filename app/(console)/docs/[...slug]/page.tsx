import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { documentNamed } from "@/app/prefetch";
import { DocumentPage } from "@/components/documents/document-page";
import { DOCUMENTS } from "@/server/documents/schema";

interface Props {
  readonly params: Promise<{ slug: string[] }>;
}

/** The slug of a document in the catalogue. Any other address is a page that does not exist. */
async function slugOf({ params }: Props): Promise<string> {
  const slug = (await params).slug.join("/");
  if (!DOCUMENTS.some((document) => document.slug === slug)) notFound();
  return slug;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const slug = (await props.params).slug.join("/");
  const title = DOCUMENTS.find((document) => document.slug === slug)?.title;
  return { title: title ?? "Documentation" };
}

export default async function Page(props: Props) {
  return <DocumentPage document={documentNamed(await slugOf(props))} />;
}
