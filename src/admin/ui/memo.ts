/** Components that are drawn again only when they show something else. */
import { Component, createElement, type ComponentChildren, type FunctionComponent } from "preact";

type Props = Readonly<Record<string, unknown>>;

/**
 * A component that its parent does not draw again as long as every property is the very same; signals and contexts that it reads
 * still do. Functions among its properties must therefore stay the same, too, and change with what they show.
 */
export function memo<Drawn extends (props: never) => ComponentChildren>(draw: Drawn): Drawn {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      for (const name in next) if (this.props[name] !== next[name]) return true;
      return Object.keys(next).length !== Object.keys(this.props).length;
    }

    override render(): ComponentChildren {
      return createElement(draw as unknown as FunctionComponent<Props>, this.props);
    }
  }
  return Memo as unknown as Drawn;
}
