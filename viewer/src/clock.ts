// Time of one viewer, or of a group of viewers: what is shown, and how it goes on.

import { Listeners } from "./listeners";

/** Speeds to choose from: seconds of the run per second before the screen. */
export const speeds: number[] = [];
for (let power = -6; power <= 4; ++power)
    for (const digit of [1, 2.5, 5])
        speeds.push(Number((digit * 10 ** power).toPrecision(3)));
// Two is said more often than two and a half.
for (const [from, to] of [[2.5, 2], [25, 20], [250, 200], [2500, 2000], [25000, 20000]])
    speeds[speeds.indexOf(from)] = to;

/** Real time where that takes 2 to 12 s, else the next speed that does. */
export function default_speed(duration: number): number {
    if (!(duration > 0) || (duration >= 2 && duration <= 12))
        return 1;
    if (duration < 2)
        return [...speeds].reverse().find((s) => s <= duration / 2) ?? speeds[0];
    return speeds.find((s) => s >= duration / 12) ?? speeds[speeds.length - 1];
}

/** What the clock asks of a viewer: how far its frames reach, and whether it can show a time yet. */
export interface ClockMember {
    first_time: number;
    last_time: number;
    can_show(from: number, to: number): boolean;
}

export class Clock {
    time = 0;
    is_playing = false;
    loops = true;
    speed = 1;
    private is_speed_chosen = false;
    private readonly members: ClockMember[] = [];
    readonly on_change = new Listeners();

    add(member: ClockMember): void {
        this.members.push(member);
        if (this.members.length === 1)
            this.time = member.first_time;
        this.adjust_speed();
    }

    /** Called when members have more frames: a default speed follows. */
    adjust_speed(): void {
        if (!this.is_speed_chosen)
            this.speed = default_speed(this.last_time - this.first_time);
        this.on_change.call();
    }

    get first_time(): number {
        return Math.min(...this.members.map((m) => m.first_time));
    }
    get last_time(): number {
        return Math.max(...this.members.map((m) => m.last_time));
    }

    seek(time: number): void {
        this.time = Math.min(Math.max(time, this.first_time), this.last_time);
        this.on_change.call();
    }

    play(): void {
        if (this.time >= this.last_time)
            this.time = this.first_time;
        this.is_playing = this.last_time > this.first_time;
        this.on_change.call();
    }

    pause(): void {
        this.is_playing = false;
        this.on_change.call();
    }

    set_speed(speed: number): void {
        this.speed = speed;
        this.is_speed_chosen = true;
        this.on_change.call();
    }

    set_loops(loops: boolean): void {
        this.loops = loops;
        this.on_change.call();
    }

    /** Goes on by seconds before the screen; waits where frames are not decoded yet. */
    advance(seconds: number): void {
        if (!this.is_playing)
            return;
        let next = this.time + seconds * this.speed;
        const last = this.last_time;
        if (this.time >= last && this.loops)
            next = this.first_time;
        else if (next >= last) {
            next = last;
            this.is_playing = this.loops;
        }
        if (next > this.time && !this.members.every((m) => m.can_show(this.time, next)))
            return;
        this.time = next;
        this.on_change.call();
    }
}
