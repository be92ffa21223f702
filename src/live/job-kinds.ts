import type { Held } from '../control/connections/connection-leases.ts';
import type { Settings } from '../sources/source.ts';
import type { AskedToReconcile } from './reconcile/reconcile.ts';
import type { RunResult } from './run-connection.ts';
import type { KeyToTry, TriedKey } from './try-key.ts';
import type { FailureState } from './vendor.ts';

/**
 * What is done with a vendor in a process of its own, and what comes of it. All of it can be said in JSON.
 */
export type LiveJob = TryJob | RunJob | ForgetJob;

export interface TryJob {
  readonly do: 'try';
  readonly vendor: string;
  readonly key: KeyToTry;
  readonly allowsLoopback: boolean;
}

export type TryAnswer =
  | TriedKey
  | {
      readonly refused: {
        readonly state: FailureState;
        readonly message: string;
        /** When it may be tried again. */
        readonly retryAt?: string | undefined;
      };
    };

export interface RunJob {
  readonly do: 'run';
  readonly held: Held;
  readonly allowsLoopback: boolean;
  readonly settings?: Settings;
  readonly reconciles?: AskedToReconcile;
}

export type RunAnswer = RunResult | { readonly isLost: true };

export interface ForgetJob {
  readonly do: 'forget';
  /** Deletions that have to wait, with how many milliseconds. */
  readonly postponed: Postponed;
  readonly allowsLoopback: boolean;
}

export type Postponed = readonly (readonly [key: string, milliseconds: number])[];

export interface ForgetAnswer {
  readonly hasDone: boolean;
  readonly postponed: Postponed;
}

/** What a job tells on the way. */
export type LiveNote =
  | { readonly step: string; readonly doneShare: number }
  /** The deletion that it begins with. */
  | { readonly deletion: string };
