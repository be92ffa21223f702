import type { Revision } from '../../support/conformance-suite.ts';

/** A scenario that cannot pass, or only not these of its checks. */
interface ExpectedFailure {
  readonly because: string;
  readonly checks?: readonly string[];
}

export type ExpectedFailures = Readonly<Record<string, ExpectedFailure>>;

const ASKS_NOTHING = 'Storesight asks nothing of a client: no sampling, no elicitation, no roots';
const LOGS_NOTHING = 'Storesight sends clients no log';
const IS_STATIC = 'what can be read changes only with a new version, so there is nothing to subscribe to';
const HAS_NO_SESSIONS = 'every request stands alone: there are no sessions, and no streams to take up again';
const HAS_NO_TASKS = 'an extension that Storesight does not offer';

const failures = (because: string, names: readonly string[]): ExpectedFailures =>
  Object.fromEntries(names.map((name) => [name, { because }]));

/** Only what does not apply to this server stands here. A scenario that begins to pass must leave. */
export const EXPECTED_FAILURES: Readonly<Record<Revision, ExpectedFailures>> = {
  '2025-11-25': {
    ...failures(LOGS_NOTHING, ['logging-set-level', 'tools-call-with-logging']),
    ...failures(ASKS_NOTHING, [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ]),
    ...failures(IS_STATIC, ['resources-subscribe', 'resources-unsubscribe']),
    ...failures(HAS_NO_SESSIONS, [
      'server-session-lifecycle',
      'server-sse-multiple-streams',
      'server-sse-polling',
    ]),
  },
  '2026-07-28': {
    'server-stateless': {
      because: `${ASKS_NOTHING}. ${LOGS_NOTHING}`,
      checks: [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    },
    ...failures(ASKS_NOTHING, [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-multi-round',
      'input-required-result-multiple-input-requests',
      'input-required-result-non-tool-request',
      'input-required-result-request-state',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
    ]),
    ...failures('no tool takes an argument from a header', ['http-custom-header-server-validation']),
    ...failures(HAS_NO_TASKS, [
      'tasks-capability-negotiation',
      'tasks-dispatch-and-envelope',
      'tasks-lifecycle',
      'tasks-mrtr-composition',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-request-state-removal',
      'tasks-required-task-error',
      'tasks-status-notifications',
      'tasks-wire-fields',
    ]),
  },
};
