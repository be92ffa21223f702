import { z } from 'zod';
import type { Vendor } from '../../vendor.ts';
import { changesOf } from './changes.ts';
import { customerIds, orderIds } from './ids.ts';
import { CUSTOMERS, ORDERS, PRODUCTS } from './resources.ts';
import { checkScopes } from './scopes.ts';
import { isLoopback, shopOf } from './shop.ts';
import { webhook } from './webhook.ts';

export const shopify: Vendor = {
  name: 'shopify',
  title: 'Shopify',
  settings: z.object({
    shop: z
      .string()
      .transform((domain) => domain.trim().toLowerCase())
      .refine((domain) => /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(domain) || isLoopback(domain), {
        error: 'is not the domain that Shopify gave the shop, such as my-shop.myshopify.com',
      })
      .meta({
        title: 'Shopify address of the shop',
        description: 'the domain that Shopify gave the shop, such as my-shop.myshopify.com',
      }),
    clientId: z.string().optional().meta({
      title: 'Client ID',
      description: 'the client id of your app in the Dev Dashboard; none where you have a token (shpat_…)',
    }),
  }),
  addressSetting: 'shop',
  secrets: {
    clientSecret: {
      title: 'Client secret',
      description:
        'the client secret of your app (Dev Dashboard, your app, Settings); none where you have a token (shpat_…)',
      isOptional: true,
    },
    accessToken: {
      title: 'Access token',
      description: 'an access token (shpat_…) of an app that was made in the admin before 2026',
      isOptional: true,
      isRare: true,
      insteadOf: 'clientId',
    },
  },
  streams: [changesOf(PRODUCTS), changesOf(ORDERS), changesOf(CUSTOMERS)],
  listings: [orderIds, customerIds],
  check: (access) => checkScopes(shopOf(access)),
  webhook,
};
