import type { Spot } from '../draw/drawn.ts';

/** Shows the value under the mouse, the finger or the arrow keys. */
export class Pointer {
  readonly #chart: HTMLElement;
  readonly #tip: HTMLElement;
  readonly #said: HTMLElement;
  readonly #ring: HTMLElement;
  #spots: readonly Spot[] = [];
  #current = -1;

  constructor(
    chart: HTMLElement,
    { tip, said, ring }: Readonly<Record<'tip' | 'said' | 'ring', HTMLElement>>,
  ) {
    this.#chart = chart;
    this.#tip = tip;
    this.#said = said;
    this.#ring = ring;
    chart.addEventListener('pointermove', (event) => this.#pointAt(event));
    chart.addEventListener('pointerdown', (event) => this.#pointAt(event));
    // When a finger is lifted, the value that it pointed at stays shown.
    chart.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && this.#show(-1));
    chart.addEventListener('blur', () => this.#show(-1));
    chart.addEventListener('keydown', (event) => this.#press(event));
  }

  use(spots: readonly Spot[]): void {
    this.#spots = spots;
    this.#show(-1);
  }

  #pointAt({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.#chart.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    this.#show(
      this.#spots.findIndex(
        (spot) => x >= spot.x && x < spot.x + spot.width && y >= spot.y && y < spot.y + spot.height,
      ),
    );
  }

  #press(event: KeyboardEvent): void {
    const last = this.#spots.length - 1;
    const to = {
      ArrowRight: Math.min(this.#current + 1, last),
      ArrowDown: Math.min(this.#current + 1, last),
      ArrowLeft: Math.max(this.#current - 1, 0),
      ArrowUp: Math.max(this.#current - 1, 0),
      Home: 0,
      End: last,
      Escape: -1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#show(to);
    this.#said.textContent = this.#spots[to]?.lines().join(', ') ?? '';
  }

  #show(index: number): void {
    this.#current = index;
    const spot = this.#spots[index];
    this.#tip.hidden = spot === undefined;
    this.#ring.hidden = spot === undefined;
    if (spot === undefined) return;
    this.#tip.replaceChildren(
      ...spot.lines().map((line, place) => {
        const element = document.createElement(place === 0 ? 'b' : 'span');
        element.textContent = line;
        return element;
      }),
    );
    const { clientWidth } = this.#chart;
    Object.assign(this.#ring.style, {
      left: `${spot.x}px`,
      top: `${spot.y}px`,
      width: `${spot.width}px`,
      height: `${spot.height}px`,
    });
    const { offsetWidth, offsetHeight } = this.#tip;
    const x = Math.max(0, Math.min(spot.x + spot.width / 2 - offsetWidth / 2, clientWidth - offsetWidth));
    const y = spot.y - offsetHeight - 6;
    Object.assign(this.#tip.style, {
      left: `${x}px`,
      top: `${y < 0 ? spot.y + Math.min(spot.height, 60) + 6 : y}px`,
    });
  }
}
