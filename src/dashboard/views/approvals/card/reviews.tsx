import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";
import type { ShownApproval } from "../approval-fields.ts";

/** Who has approved, of how many, and who denied. */
export function Reviews({ approval: { persons, role, reviews } }: { approval: ShownApproval }) {
  const approved = reviews.filter(({ verdict, current }) => verdict === "APPROVE" && current).length;
  return (
    <section className="card stack-m" aria-labelledby="approval-reviews">
      <h2 id="approval-reviews">
        {approved} of {persons} approved
      </h2>
      <p className="small soft">
        {persons === 1 ? "One person" : `${persons} different people`}, {toWords(role)} or above.
      </p>
      {reviews.length > 0 && (
        <ul className="stack-s">
          {reviews.map(({ by, verdict, comment, current, createdAt }) => (
            <li key={`${by.uuid} ${createdAt}`}>
              <span className="in-line">
                <strong>{by.name}</strong>
                {verdict === "APPROVE" ? "approved" : "denied"} <TimeAgo at={createdAt} />
                {!current && <span className="small soft">other arguments, which doesn’t count</span>}
              </span>
              {comment !== null && <p className="approvals-comment">{comment}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
