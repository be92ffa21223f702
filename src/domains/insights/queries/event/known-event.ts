import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { NoEffect, PlaceboEffect } from '../../../../statistics/placebo-effect.ts';
import type { Noted } from '../../../calendar/queries/noted-days.ts';
import type { EventArguments, EventQuestion } from './event-question.ts';

/** What a question is asked with. */
export interface EventContext {
  readonly args: EventArguments;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
}

/** What is known of an event, to tell it. */
export interface KnownEvent extends EventContext {
  readonly question: EventQuestion;
  /** Null where nothing could be computed at all. */
  readonly effect: PlaceboEffect | NoEffect | null;
  /** The number of days, nearest to those asked, whose effect could be told; null: of none. */
  readonly tellableDays: number | null;
  /** Days of the event, or of the four weeks before it, without any order or visit of the store. */
  readonly without: readonly string[];
  readonly noted: readonly Noted[];
  readonly missingProducts: number;
  /** A sentence for values that do not exist. */
  readonly unknown: readonly string[];
}
