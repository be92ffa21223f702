import { AccessError, InputError, OperatorError } from '../errors.ts';
import { BusyError, QueryTimeoutError, QueryTooLargeError, WarehouseError } from '../warehouse/warehouse.ts';
import type { TraceContext } from './trace-context.ts';

/** How the call of a tool ended: what is counted and logged of it, since arguments and answers are not. */
export type CallOutcome =
  | 'answered'
  | 'invalid arguments'
  | 'no access'
  | 'busy'
  | 'timeout'
  | 'too large'
  | 'unavailable'
  | 'cancelled'
  | 'failed';

/** An observer that is told of every call of a tool. */
export type CallObserver = (call: {
  readonly tool: string;
  readonly outcome: CallOutcome;
  readonly seconds: number;
  /** It is null where the client told none. */
  readonly trace: TraceContext | null;
}) => void;

/** The outcome of an error that is not a cancellation. */
export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof AccessError) return 'no access';
  if (error instanceof InputError) return 'invalid arguments';
  if (error instanceof BusyError) return 'busy';
  if (error instanceof QueryTimeoutError) return 'timeout';
  if (error instanceof QueryTooLargeError) return 'too large';
  if (error instanceof WarehouseError || error instanceof OperatorError) return 'unavailable';
  return 'failed';
}
