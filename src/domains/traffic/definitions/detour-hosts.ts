/**
 * Where customers go during a visit only to come back: to pay, to prove that a card is theirs, to sign in.
 * Who comes back from there goes on with the visit before.
 *
 * A host stands for all below it, so `gopay.com` for `gw.gopay.com` too. Networks whose own pages bring
 * visitors as well (facebook.com, amazon.com, google.com) are not here, only their hosts for paying or
 * signing in.
 */
interface DetourHosts {
  readonly operator: string;
  readonly purpose: 'payment' | '3-D Secure' | 'sign-in';
  readonly hosts: readonly string[];
  /** The page where the operator documents the service. */
  readonly source: string;
}

const DETOURS: readonly DetourHosts[] = [
  payment('PayPal', 'https://developer.paypal.com/docs/checkout/', 'paypal.com', 'paypalobjects.com'),
  payment('Stripe', 'https://docs.stripe.com/payments/checkout', 'stripe.com'),
  payment('Klarna', 'https://docs.klarna.com', 'klarna.com'),
  payment('Adyen', 'https://docs.adyen.com/online-payments/', 'adyen.com', 'adyenpayments.com'),
  payment('Mollie', 'https://docs.mollie.com', 'mollie.com'),
  payment(
    'Braintree',
    'https://developer.paypal.com/braintree/docs/',
    'braintreegateway.com',
    'braintree-api.com',
  ),
  payment('Checkout.com', 'https://www.checkout.com/docs', 'checkout.com'),
  payment('Worldpay', 'https://developer.worldpay.com', 'worldpay.com'),
  payment('Opayo', 'https://developer.elavon.com', 'sagepay.com'),
  payment('Authorize.net', 'https://developer.authorize.net', 'authorize.net'),
  payment('Square', 'https://developer.squareup.com/docs', 'squareup.com'),
  payment('Google Pay', 'https://developers.google.com/pay/api/web', 'pay.google.com'),
  payment(
    'Amazon Pay',
    'https://developer.amazon.com/docs/amazon-pay/intro.html',
    'pay.amazon.com',
    'payments.amazon.com',
  ),
  payment('Shop Pay', 'https://help.shopify.com/en/manual/payments/shop-pay', 'pay.shopify.com', 'shop.app'),
  payment('Afterpay', 'https://developers.afterpay.com', 'afterpay.com'),
  payment('PayU', 'https://developers.payu.com', 'payu.com', 'payu.cz'),
  payment('GoPay', 'https://doc.gopay.com', 'gopay.com', 'gopay.cz'),
  payment('Comgate', 'https://apidoc.comgate.cz', 'comgate.cz', 'comgate.eu'),
  payment('GP webpay', 'https://www.gpwebpay.cz/en/', 'gpwebpay.com', 'gpwebpay.cz'),
  payment('ČSOB', 'https://github.com/csob/platebnibrana', 'platebnibrana.csob.cz'),
  payment('Twisto', 'https://www.twisto.cz', 'twisto.cz'),
  payment('Skip Pay', 'https://www.skippay.cz', 'skippay.cz'),
  payment('TatraPay', 'https://www.tatrabanka.sk', 'tatrapay.sk', 'moja.tatrabanka.sk'),
  payment('Besteron', 'https://besteron.com', 'besteron.com'),
  payment('Przelewy24', 'https://developers.przelewy24.pl', 'przelewy24.pl'),
  payment('Tpay', 'https://docs-api.tpay.com', 'tpay.com'),
  payment('Dotpay', 'https://www.dotpay.pl', 'dotpay.pl'),
  payment('BLIK', 'https://www.blik.com', 'blik.com'),
  payment('Barion', 'https://docs.barion.com', 'barion.com'),
  payment('SimplePay', 'https://simplepay.hu', 'simplepay.hu'),
  payment('Sofort', 'https://docs.klarna.com', 'sofort.com'),
  payment('giropay', 'https://www.giropay.de', 'giropay.de', 'paydirekt.de'),
  payment('Unzer', 'https://docs.unzer.com', 'unzer.com'),
  payment('MultiSafepay', 'https://docs.multisafepay.com', 'multisafepay.com'),
  payment('Buckaroo', 'https://docs.buckaroo.io', 'buckaroo.nl'),
  threeDSecure('Cardinal Commerce', 'https://cardinaldocs.atlassian.net', 'cardinalcommerce.com'),
  threeDSecure('Broadcom Arcot', 'https://techdocs.broadcom.com', 'arcot.com'),
  threeDSecure('3dsecure.io', 'https://docs.3dsecure.io', '3dsecure.io'),
  threeDSecure('Netcetera', 'https://3dss.netcetera.com', 'netcetera.com'),
  threeDSecure('Outseer', 'https://www.outseer.com', 'rsa3dsauth.com'),
  threeDSecure('Worldline', 'https://docs.connect.worldline-solutions.com', 'wlp-acs.com'),
  threeDSecure('Global Payments', 'https://www.gpwebpay.cz/en/', 'gpesecure.com'),
  signIn('Google', 'https://developers.google.com/identity', 'accounts.google.com'),
  signIn('Apple', 'https://developer.apple.com/sign-in-with-apple/', 'appleid.apple.com'),
  signIn(
    'Microsoft',
    'https://learn.microsoft.com/entra/identity-platform/',
    'login.microsoftonline.com',
    'login.live.com',
  ),
  signIn('Yahoo', 'https://developer.yahoo.com/oauth2/guide/', 'login.yahoo.com'),
  signIn('Seznam', 'https://vyvojari.seznam.cz/oauth', 'login.szn.cz'),
  signIn('mojeID', 'https://www.mojeid.cz/dokumentace/', 'mojeid.cz'),
  signIn('BankID', 'https://developer.bankid.cz', 'bankid.cz'),
  signIn('Auth0', 'https://auth0.com/docs', 'auth0.com'),
  signIn('Okta', 'https://developer.okta.com', 'okta.com'),
];

export const DETOUR_HOSTS: readonly string[] = DETOURS.flatMap(({ hosts }) => hosts);

function payment(operator: string, source: string, ...hosts: readonly string[]): DetourHosts {
  return { operator, purpose: 'payment', hosts, source };
}

function threeDSecure(operator: string, source: string, ...hosts: readonly string[]): DetourHosts {
  return { operator, purpose: '3-D Secure', hosts, source };
}

function signIn(operator: string, source: string, ...hosts: readonly string[]): DetourHosts {
  return { operator, purpose: 'sign-in', hosts, source };
}
