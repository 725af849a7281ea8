// Who wants to know when something changed.

export class Listeners {
    private readonly all = new Set<() => void>();

    add(listener: () => void): void {
        this.all.add(listener);
    }

    call(): void {
        for (const listener of [...this.all])
            listener();
    }
}
