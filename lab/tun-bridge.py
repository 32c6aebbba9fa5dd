#!/usr/bin/env python3
"""A long path between two network devices, for kernels without netem.

It makes two TUN devices and carries every packet from each to the other: late, perhaps not at all, and no faster than
asked. Whoever starts it moves the devices to where they are wanted (two network namespaces, say) and gives them their
addresses; a TUN device stays with the program that opened it wherever it is moved.

Packets are carried below TCP, so connecting, slow start and retransmission behave as over a real distance. (A proxy
that delays bytes would accept connections itself, at once.)

When both devices are there it writes their names as one line, "first second". Each line of its standard input has the
conditions from then on, from the first device to the second and back, as JSON (without, a packet is only carried):

    [{"delayMs": 50, "jitterMs": 10, "lossPercent": 0.5, "mbitPerSecond": 5, "queueMs": 100}, {"delayMs": 50}]

The line "forget" makes it forget all TCP connections, as a NAT that was restarted: from then on it drops the packets of
those that it has not seen begin. It answers with the same line.

It ends when its standard input ends, so it cannot outlive the program that holds the other end of that pipe.
"""

import errno
import fcntl
import json
import os
import random
import select
import struct
import sys
import time
from collections import deque

# From linux/if_tun.h: bare IP packets, without a header of the driver's own in front.
TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000

STANDARD_INPUT = 0
DEVICE_NAME_PATTERN = b"shootout%d"

# More than any packet of a device with the usual MTU of 1500.
MAX_PACKET_BYTES = 2048

# Packets taken from one device before the other has its turn.
BATCH_COUNT = 64

# Of IPv4, and where its header and that of TCP have what tells one connection from another.
TCP = 6
PROTOCOL_AT, SOURCE_AT, TARGET_AT, TARGET_END = 9, 12, 16, 20
FLAGS_AT = 13
SYN, ACK = 0x02, 0x10

# Packets under way before others are dropped: enough for 1 Gbit/s over a second.
QUEUE_COUNT = 100_000


class Nat:
    """Lets everything pass until it is to forget; afterwards, of TCP, only connections that it has seen begin."""

    def __init__(self):
        self.known = None

    def forget(self):
        self.known = set()

    def passes(self, packet):
        if self.known is None or packet[0] >> 4 != 4 or packet[PROTOCOL_AT] != TCP:
            return True
        tcp_at = (packet[0] & 15) * 4
        source = packet[SOURCE_AT:TARGET_AT] + packet[tcp_at : tcp_at + 2]
        target = packet[TARGET_AT:TARGET_END] + packet[tcp_at + 2 : tcp_at + 4]
        # The same both ways.
        connection = frozenset((source, target))
        if packet[tcp_at + FLAGS_AT] & (SYN | ACK) == SYN:
            self.known.add(connection)
        return connection in self.known


class Direction:
    """The path from one device to the other; the path back is another one, with a line of its own."""

    def __init__(self, source, target, nat):
        self.source = source
        self.target = target
        self.nat = nat
        self.change({})
        self.under_way = deque()  # (due at, packet), in the order in which they came
        self.line_free_at = 0.0

    def change(self, conditions):
        """Sets what holds for all packets from now on; those that are under way stay so."""
        self.delay_ms = conditions.get("delayMs", 0)
        self.jitter_ms = conditions.get("jitterMs", 0)
        self.loss_percent = conditions.get("lossPercent", 0)
        self.mbit_per_second = conditions.get("mbitPerSecond")
        self.queue_ms = conditions.get("queueMs")

    def take_in(self):
        """Takes what has come to the source, but leaves the rest for the next turn where it is very much."""
        for _ in range(BATCH_COUNT):
            try:
                packet = os.read(self.source, MAX_PACKET_BYTES)
            except BlockingIOError:
                return
            self._send_off(packet, time.monotonic())

    def _send_off(self, packet, now):
        is_lost = random.random() < self.loss_percent / 100
        if is_lost or not self.nat.passes(packet) or len(self.under_way) >= QUEUE_COUNT or self._is_full(packet, now):
            return
        jitter_ms = random.uniform(-self.jitter_ms, self.jitter_ms)
        due_at = self._leaves_at(packet, now) + (self.delay_ms + jitter_ms) / 1000
        # Jitter never lets a packet overtake: TCP would take that for loss.
        if self.under_way:
            due_at = max(due_at, self.under_way[-1][0])
        self.under_way.append((due_at, packet))

    def _is_full(self, packet, now):
        """Whether the packet finds no room in the queue for the line, which holds what the rate carries in its time."""
        if self.mbit_per_second is None or self.queue_ms is None:
            return False
        # One packet always has room, however short the queue is.
        waits_ms = 1000 * (self.line_free_at - now)
        return waits_ms > 0 and waits_ms + len(packet) * 8 / (self.mbit_per_second * 1e3) > self.queue_ms

    def _leaves_at(self, packet, now):
        """When the packet's last bit is on the line, which carries one packet after the other."""
        if self.mbit_per_second is None:
            return now
        self.line_free_at = max(self.line_free_at, now) + len(packet) * 8 / (self.mbit_per_second * 1e6)
        return self.line_free_at

    def deliver(self):
        """Hands on what is due."""
        while self.under_way and self.under_way[0][0] <= time.monotonic():
            _, packet = self.under_way.popleft()
            try:
                os.write(self.target, packet)
            except OSError as error:
                # The device is not up (yet), or its queue is full: there, too, a packet is simply lost.
                if error.errno not in (errno.EIO, errno.EAGAIN, errno.ENOBUFS):
                    raise


def open_tun():
    """Opens a new TUN device under a name that is free; gives its file descriptor and its name."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    request = struct.pack("16sH22x", DEVICE_NAME_PATTERN, IFF_TUN | IFF_NO_PI)
    answer = fcntl.ioctl(device, TUNSETIFF, request)
    return device, answer[:16].rstrip(b"\0").decode()


def obey(line, there, back):
    """Does what a line of standard input says."""
    if line == b"forget":
        there.nat.forget()
        print("forget", flush=True)
        return
    for direction, conditions in zip((there, back), json.loads(line)):
        direction.change(conditions)


def carry(there, back):
    """Carries packets in both directions until standard input ends."""
    unread = b""
    while True:
        due = [direction.under_way[0][0] for direction in (there, back) if direction.under_way]
        wait_seconds = max(0.0, min(due) - time.monotonic()) if due else None
        # Not epoll: it counts whole milliseconds, which in each direction would be up to one too late.
        readable, _, _ = select.select([there.source, back.source, STANDARD_INPUT], [], [], wait_seconds)
        if STANDARD_INPUT in readable:
            text = os.read(STANDARD_INPUT, 4096)
            if not text:
                return
            *lines, unread = (unread + text).split(b"\n")
            for line in lines:
                obey(line, there, back)
        for direction in (there, back):
            if direction.source in readable:
                direction.take_in()
            direction.deliver()


def main():
    try:
        first, first_name = open_tun()
        second, second_name = open_tun()
    except OSError as error:
        sys.exit(f"No TUN device to be had: {error}. It needs root and the kernel's tun module (modprobe tun).")
    print(first_name, second_name, flush=True)
    nat = Nat()
    carry(Direction(first, second, nat), Direction(second, first, nat))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
