/** A text as it is stored, and whether an e-mail address or a phone number was taken out of it. */
export interface Passed {
  readonly text: string;
  readonly hadPersonalData: boolean;
}

/** Puts marks in the place of what is personal in a text. */
export type Mark = (text: string) => Passed;
