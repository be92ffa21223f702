/** How a model differs from the one before, which it was made of. */
export interface ModelChanges {
  /** The snapshot that has the model before. */
  readonly since: string;
  /**
   * The model of affected persons, whose keys are in its table `affected_persons`. All other persons' rows
   * are those of before.
   */
  readonly partialModel: string;
  /** The names of the tables of all persons that were made anew. The others are as before. */
  readonly madeAnew: ReadonlySet<string>;
}
