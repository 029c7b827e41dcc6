import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { WINDOWS, type WindowName } from "../../../ui/chart/windows.ts";
import type { ResultOf } from "gql.tada";
import type { ReactNode } from "react";
import { Link } from "wouter";

const NowOverview = graphql(`
  query NowOverview($window: Window!) {
    overview(window: $window) {
      agents {
        byPresence {
          online
          stale
          offline
        }
        byControlState {
          paused
          stopped
        }
      }
      tasks {
        byStatus {
          submitted
          working
          inputRequired
          authRequired
        }
        ended {
          completed
          failed
        }
      }
      questions {
        waiting
        oldestAt
      }
      agentCommands {
        unacknowledged
        oldestUnacknowledgedAt
        byStatus {
          acknowledged
          running
        }
        ended {
          failed
          timedOut
          expired
        }
      }
      robots {
        emergencyStopped
        byControlState {
          paused
          stopped
        }
        byStatus {
          error
          executing
          idle
          charging
          offline
          total
        }
      }
      missions {
        byStatus {
          pending
          assigned
          running
          paused
        }
        ended {
          completed
          failed
        }
      }
    }
  }
`);

type Overview = ResultOf<typeof NowOverview>["overview"];

const TYPES = ["agent.*", "task.*", "message.*", "agent_command.*", "robot.*", "mission.*", "workspace.*"];
/** Presence and robot status also change without events. */
const EVERY_MS = 15_000;

/** Key numbers, with links to the lists. */
export function Counters({ window }: { window: WindowName }) {
  const { label, asked } = WINDOWS[window];
  const freshness = { types: TYPES, everyMs: EVERY_MS };
  const { data, problem, isLoading, refresh } = useLiveQuery(NowOverview, { window: asked }, freshness);
  return (
    <section className="stack-m" aria-label="Key numbers">
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} lines={data === null ? 3 : 0} />
      {data !== null && (
        <ul className="now-counters">
          <WorkCounters overview={data.overview} label={label} />
          <MachineCounters overview={data.overview} label={label} />
        </ul>
      )}
    </section>
  );
}

function WorkCounters({ overview, label }: { overview: Overview; label: string }) {
  const { tasks, questions, agentCommands: commands } = overview;
  const { oldestUnacknowledgedAt: oldestAt, ended } = commands;
  return (
    <>
      <Counter
        title="Questions"
        href="/tasks?status=INPUT_REQUIRED"
        isUrgent={questions.waiting > 0}
        chief={[questions.waiting, "waiting"]}
      >
        <li>{questions.oldestAt === null ? "none waiting" : <Oldest at={questions.oldestAt} />}</li>
      </Counter>
      <Counter title="Tasks" href="/tasks" chief={[tasks.byStatus.working, "working"]}>
        <li>{`${tasks.byStatus.submitted} queued, ${tasks.byStatus.inputRequired} need input`}</li>
        {tasks.byStatus.authRequired > 0 && <li>{`${tasks.byStatus.authRequired} wait for approval`}</li>}
        <li>{`${tasks.ended.completed} completed, ${tasks.ended.failed} failed in ${label}`}</li>
      </Counter>
      <Counter title="Commands" href="/commands" chief={[commands.unacknowledged, "not acknowledged"]}>
        {oldestAt !== null && (
          <li>
            <Oldest at={oldestAt} />
          </li>
        )}
        <li>{`${commands.byStatus.acknowledged + commands.byStatus.running} running`}</li>
        <li>{`${ended.failed + ended.timedOut + ended.expired} failed or expired in ${label}`}</li>
      </Counter>
    </>
  );
}

function Oldest({ at }: { at: string }) {
  return (
    <>
      oldest waiting <TimeAgo at={at} />
    </>
  );
}

function MachineCounters({ overview, label }: { overview: Overview; label: string }) {
  const { agents, robots, missions } = overview;
  const { byPresence, byControlState } = agents;
  const { pending, assigned, running, paused } = missions.byStatus;
  return (
    <>
      <Counter title="Agents" href="/agents" chief={[byPresence.online, "online"]}>
        <li>{`${byPresence.stale} stale, ${byPresence.offline} offline`}</li>
        <li>{`${byControlState.paused} paused, ${byControlState.stopped} stopped`}</li>
      </Counter>
      <Counter
        title="Robots"
        href="/robots"
        isUrgent={robots.byStatus.error > 0}
        chief={[robots.byStatus.error, "in error"]}
      >
        <li>{`${robots.byStatus.executing} executing, ${robots.byStatus.idle} idle`}</li>
        <li>{`${robots.byStatus.charging} charging, ${robots.byStatus.offline} offline`}</li>
        {robots.byControlState.stopped > 0 && <li>{`${robots.byControlState.stopped} stopped`}</li>}
        {robots.emergencyStopped > 0 && (
          <li>{`${robots.emergencyStopped} with their own emergency stop pressed`}</li>
        )}
      </Counter>
      <Counter title="Missions" href="/missions" chief={[pending + assigned + running + paused, "open"]}>
        <li>{`${running} running, ${paused} paused`}</li>
        <li>{`${missions.ended.completed} completed, ${missions.ended.failed} failed in ${label}`}</li>
      </Counter>
    </>
  );
}

/** A key number, and others below it. */
type CounterProps = {
  title: string;
  /** The list it counts. */
  href: string;
  /** Whether it needs attention. */
  isUrgent?: boolean;
  chief: readonly [count: number, what: string];
  /** The other numbers, as list items. */
  children: ReactNode;
};

function Counter({ title, href, isUrgent = false, chief, children }: CounterProps) {
  const [count, what] = chief;
  return (
    <li className={isUrgent ? "card now-counter now-urgent" : "card now-counter"}>
      <h2 className="now-counter-title">
        <Link href={href}>{title}</Link>
      </h2>
      <p>
        <strong className="now-count">{count.toLocaleString("en")}</strong> {what}
      </p>
      <ul className="now-others">{children}</ul>
    </li>
  );
}
