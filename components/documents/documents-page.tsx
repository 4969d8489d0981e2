import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { documentHref, RELEASE } from "@/server/documents/address-schema";
import { DOCUMENT_GROUPS, type DocumentListView } from "@/server/documents/schema";

/** All documents, in groups. */
export function DocumentsPage({ documents }: { documents: DocumentListView }) {
  return (
    <>
      <PageHeader title="Documentation" aside={`Version ${RELEASE}`} />
      <PageBody>
        {DOCUMENT_GROUPS.map((group) => (
          <Section key={group} title={group}>
            <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
              {documents
                .filter((document) => document.group === group)
                .map(({ slug, title, about }) => (
                  <li key={slug}>
                    <Link
                      href={documentHref(slug)}
                      className="flex h-full flex-col gap-0.5 rounded-md border bg-surface px-3 py-2 transition-colors hover:border-line-strong hover:bg-hover"
                    >
                      <span className="font-medium">{title}</span>
                      <span className="text-muted text-sm">{about}</span>
                    </Link>
                  </li>
                ))}
            </ul>
          </Section>
        ))}
      </PageBody>
    </>
  );
}
