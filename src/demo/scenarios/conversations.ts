import type { MessageKind } from "../../db/generated/client.ts";

/** A line of a conversation, by an agent's handle or `person`. Without `to`, it is to everyone. */
export type ConversationLine = { by: string; to?: string; kind?: MessageKind; text: string };

/** Conversations that concern no single task. */
export const CONVERSATIONS: readonly (readonly ConversationLine[])[] = [
  [
    {
      by: "fleet-dispatcher",
      kind: "notice",
      text: "Evening plan: {few} robots on picking, two on pallets, one patrol.",
    },
    {
      by: "demand-forecast",
      to: "fleet-dispatcher",
      text: "Expect {percent} more orders than usual until Sunday.",
    },
    { by: "fleet-dispatcher", to: "demand-forecast", text: "Noted. {count} totes are staged near {place}." },
    {
      by: "person",
      to: "fleet-dispatcher",
      text: "Keep aisle {aisle} free from 14:00, we move a rack there.",
    },
    { by: "fleet-dispatcher", text: "Aisle {aisle} is closed for missions from 13:50." },
  ],
  [
    {
      by: "support-triage",
      to: "returns-desk",
      text: "Third ticket today about the zip of the {product}. A bad lot?",
    },
    { by: "returns-desk", to: "support-triage", text: "{few} returns with the same defect, all from {po}." },
    {
      by: "returns-desk",
      kind: "question",
      text: "Shall I accept these returns without photos from now on?",
    },
    { by: "person", to: "returns-desk", kind: "answer", text: "Yes, for {po} only. I'll tell {supplier}." },
    { by: "support-replies", text: "The answer template for the {product} says so now." },
  ],
  [
    { by: "billing-reconciler", kind: "notice", text: "{bank}: {count} payments matched, {few} left open." },
    { by: "person", to: "billing-reconciler", text: "Which ones are left?" },
    {
      by: "billing-reconciler",
      text: "{amount} from {customer} without reference, and {few} instalments of {company}.",
    },
    {
      by: "person",
      to: "billing-reconciler",
      text: "{customer} is order {order}. The instalments are agreed.",
    },
  ],
  [
    { by: "price-watch", text: "{competitor} lowered the {product} by {percent} this morning." },
    {
      by: "catalogue-writer",
      to: "price-watch",
      text: "Our page compares with their old price. I'll change it.",
    },
    {
      by: "price-watch",
      kind: "question",
      text: "May I follow with {amount}? The margin stays above the floor.",
    },
    { by: "person", to: "price-watch", kind: "answer", text: "Follow until {weekday}, then back." },
  ],
  [
    {
      by: "incident-analyst",
      kind: "notice",
      text: "{service}: {metric} above the limit for {minutes} minutes.",
    },
    { by: "incident-analyst", text: "It began {few} minutes after {repo}{pr} was deployed." },
    {
      by: "code-review",
      to: "incident-analyst",
      text: "I commented on that loop in {repo}{pr}; it was merged unresolved.",
    },
    { by: "person", to: "incident-analyst", text: "Rolling back. Please keep watching." },
    {
      by: "incident-analyst",
      kind: "notice",
      text: "{metric} of {service} is normal again. Report follows.",
    },
  ],
  [
    {
      by: "dependency-updates",
      to: "code-review",
      text: "{package} {version} is ready in {repo}{pr}, {count} tests pass.",
    },
    {
      by: "code-review",
      to: "dependency-updates",
      text: "Looks good. The change log mentions a new default time-out.",
    },
    { by: "dependency-updates", text: "Set to the old value explicitly, with a comment." },
  ],
  [
    {
      by: "market-research",
      text: "Brief on {country} is done. The short version: growth {percent}, mostly day hikers.",
    },
    { by: "demand-forecast", to: "market-research", text: "Does that include online sales?" },
    { by: "market-research", to: "demand-forecast", text: "Yes, about {percent2} of them." },
    { by: "person", text: "Thank you both. Let's talk about it on {weekday}." },
  ],
  [
    { by: "amr-05", kind: "notice", text: "Battery at 18 %, driving to charger 1 after tote {tote}." },
    { by: "fleet-dispatcher", to: "amr-05", text: "Confirmed. Tote {tote2} goes to another robot." },
    { by: "amr-05", kind: "notice", text: "Charging. Ready in about {minutes} minutes." },
  ],
  [
    {
      by: "amr-08",
      kind: "notice",
      text: "Lift pressure fell below the limit while lowering pallet {pallet}.",
    },
    { by: "fleet-dispatcher", text: "Lifter 03 takes no missions until the workshop has seen it." },
    { by: "person", to: "fleet-dispatcher", text: "On the bench. The seal kit comes on {weekday}." },
  ],
  [
    { by: "scout-01", kind: "notice", text: "The north gate stands open {few} cm." },
    {
      by: "fleet-dispatcher",
      kind: "question",
      text: "Is somebody at the north gate, or shall Scout 02 take a second look?",
    },
    {
      by: "person",
      to: "fleet-dispatcher",
      kind: "answer",
      text: "That's the cleaning crew. It's closed in ten minutes.",
    },
  ],
  [
    { by: "translator", kind: "question", text: "{language}: is the “{product}” name translated or kept?" },
    {
      by: "person",
      to: "translator",
      kind: "answer",
      text: "Kept everywhere. Please put it into the glossary.",
    },
    { by: "translator", text: "Done, and {few} pages corrected." },
  ],
  [
    {
      by: "invoice-reader",
      text: "{supplier} uses a new layout since {weekday}. {few} invoices were read with low confidence.",
    },
    { by: "person", to: "invoice-reader", text: "I checked them, all right. Keep the new template." },
    { by: "invoice-reader", kind: "notice", text: "Template kept; the {few} invoices are booked." },
    { by: "billing-reconciler", to: "invoice-reader", text: "Thanks, {po} closes with that." },
  ],
  [
    {
      by: "person",
      text: "The {carrier} truck comes an hour early on {weekday}. Can we have lane 5 ready by 15:00?",
    },
    { by: "fleet-dispatcher", text: "Yes, with {few} pallets moved at noon. I'll plan it." },
    {
      by: "support-replies",
      text: "Then orders until 13:30 can promise delivery on the next day. Changing the text.",
    },
  ],
  [
    {
      by: "payment-reminders",
      kind: "question",
      text: "{company} asks for another {days} days for {invoice}. Grant it?",
    },
    { by: "person", to: "payment-reminders", kind: "answer", text: "Grant it. They have always paid." },
    { by: "payment-reminders", text: "Granted and confirmed in writing." },
  ],
  [
    {
      by: "review-responder",
      text: "{few} reviews of the {product} praise the new poles. Worth a line on the page?",
    },
    { by: "catalogue-writer", to: "review-responder", text: "Good idea, added." },
  ],
];
