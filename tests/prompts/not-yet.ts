/** Tools that texts name and that are not in the catalogue yet; to be emptied, then deleted, as they come. */
export const NOT_YET: readonly string[] = ['estimate_segment_query'];
