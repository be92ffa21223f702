/** What may not be quoted as it is, and by how much it is wrong. */
export interface TrustRow {
  readonly kind: string;
  readonly text: string;
  /** The answers that it touches. */
  readonly touches: string;
  /** The share of them that is wrong or missing, in percent; null when it is not known. */
  readonly affected_share: number | null;
}
