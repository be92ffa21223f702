/**
 * What systems call an order that was cancelled, paid, given back or delivered, in English, Czech, German,
 * French, Spanish, Italian, Polish, Dutch, Portuguese and Russian. Only words that leave no doubt: whether
 * `pending` or `open` is paid differs from one shop to the next, and is asked.
 */
const WORDS: Readonly<Record<string, string>> = {
  cancelled: `cancelled, canceled, order cancelled, order canceled, voided, storno, stornováno, stornovaná, zrušeno, zrušená, zrušena, storniert, abgebrochen, annulliert, annulé,
    annulée, cancelado, cancelada, anulado, anulada, annullato, annullata, anulowane, anulowano, anulowany, anulowana, geannuleerd, отменён, отменен, отменено,
    отменена, аннулирован`,
  paid: `paid, zaplaceno, zaplacená, zaplacena, uhrazeno, bezahlt, payé, payée, pagado, pagada, pagato, pagata, opłacone, opłacono, betaald, pago, paga, оплачен,
    оплачено, оплачена`,
  returned: `returned, order returned, vráceno, vrácená, zurückgesendet, retourniert, retourné, retournée, devuelto, devuelta, reso, restituito, zwrócone, zwrócono,
    geretourneerd, devolvido, devolvida, возвращён, возвращен, возвращено`,
  fulfilled: `fulfilled, completed, complete, shipped, delivered, vyřízeno, vyřízená, vyřízena, odesláno, odeslaná, doručeno, doručená, abgeschlossen, versendet,
    versandt, geliefert, zugestellt, terminé, terminée, expédié, expédiée, livré, livrée, completado, completada, enviado, enviada, entregado, entregada,
    completato, spedito, consegnato, zrealizowane, zrealizowano, wysłane, dostarczone, afgerond, voltooid, verzonden, geleverd, concluído, concluída,
    entregue, выполнен, выполнено, завершён, завершен, доставлен, доставлено`,
};

const STATUSES = new Map(
  Object.entries(WORDS).flatMap(([status, words]) =>
    words.split(',').map((word) => [word.trim().replaceAll(/\s+/g, ' '), status] as const),
  ),
);

/** Our status for a word of a shop; null where it leaves doubt. */
export function statusOf(word: string): string | null {
  return STATUSES.get(word.trim().toLowerCase()) ?? null;
}

/** All words that are known, with our status for each. */
export const KNOWN_STATUSES: ReadonlyMap<string, string> = STATUSES;
