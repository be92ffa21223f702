import type { Clicks } from '../attribution.ts';
import type { Order } from '../orders.ts';
import type { World } from '../world.ts';
import { ordersByCustomer } from './audiences.ts';
import { type CampaignTruth, countCampaignTruth } from './campaign-truth.ts';
import { countEmailTruth, type EmailTruth } from './email-truth.ts';
import { countListTruth, type ListTruth } from './list-truth.ts';
import type { Marketing } from './make-marketing.ts';
import { findOutcomes } from './outcomes.ts';
import { countPopupTruth, type PopupTruth } from './popup-truth.ts';
import { countTextTruth, type TextTruth } from './text-truth.ts';

/** What is true of the shop's campaigns; a test that needs rates computes them. */
export type MarketingTruth = {
  emails: EmailTruth;
  texts: TextTruth;
  campaigns: CampaignTruth;
  popups: PopupTruth;
  interest_lists: ListTruth;
};

/** @param orders in order of time */
export function countMarketingTruth(
  world: World,
  { campaigns, entries, sends, popupEvents, memberships }: Marketing,
  orders: readonly Order[],
  clicks: Clicks,
): MarketingTruth {
  const outcomes = findOutcomes(sends, orders);
  const ofChannel = (channel: 'email' | 'sms') => outcomes.filter(({ send }) => send.channel === channel);
  return {
    emails: countEmailTruth(ofChannel('email'), clicks),
    texts: countTextTruth(ofChannel('sms')),
    campaigns: countCampaignTruth(world, campaigns, entries, outcomes, ordersByCustomer(orders)),
    popups: countPopupTruth(popupEvents, orders),
    interest_lists: countListTruth(memberships),
  };
}
