import { z } from 'zod';

/** The place of a comparison. It lies where the places of streams do, under the name of the listing. */
const PLACE = z.object({
  /**
   * When the last comparison ended. For a connection that was never compared, it is when the connection was
   * first read to its end.
   */
  ended: z.string().nullable(),
  begun: z.string().nullable(),
  /** The cursor of the listing. */
  listed: z.json(),
  isListed: z.boolean(),
  /** The last id that was asked for. */
  after: z.string().nullable(),
  /** How many may go whatever their share. */
  mostGone: z.number().nullable(),
  /** What the last one found and did not delete. */
  refused: z.object({ gone: z.number(), known: z.number() }).nullable(),
});

export type Place = z.infer<typeof PLACE>;

export const NOT_BEGUN = {
  begun: null,
  listed: null,
  isListed: false,
  after: null,
  mostGone: null,
} as const;

/** One that another version wrote and this one does not understand is begun anew in a month. */
export function placeOf(text: string | undefined): Place {
  const nothing: Place = { ...NOT_BEGUN, ended: null, refused: null };
  return text === undefined ? nothing : (PLACE.safeParse(JSON.parse(text)).data ?? nothing);
}
