/** How a model was made. */
export interface ModelBuild {
  /**
   * Incremental: a copy of the model before, in which only what belongs to affected persons was made anew.
   */
  readonly kind: 'whole' | 'incremental';
  /** Why it was built, or why all of it, in words for people. */
  readonly reason: string;
  /** Customers and visitors whose rows were made anew; null where that was everybody. */
  readonly affected_persons: number | null;
  /**
   * Rows that incremental builds have replaced since it was built whole, as a share of all rows about
   * persons.
   */
  readonly replaced_share: number;
  /** Blocks of the model's file that nothing uses, as a share of all. */
  readonly free_share: number;
}
