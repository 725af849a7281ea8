// Smooth normals: each vertex gets the mean of its triangles' normals, weighted by area. Its length tells how much they agree:
// 1 where the surface is flat, 0.7 at the edges of a cube. The shader shows edges where it is small.

export function write_normals(triangles: Uint32Array, positions: Float32Array, normals: Float32Array, weights: Float32Array): void {
    normals.fill(0);
    weights.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t];
        const b = 3 * triangles[t + 1];
        const c = 3 * triangles[t + 2];
        const [ax, ay, az] = [positions[a], positions[a + 1], positions[a + 2]];
        const ux = positions[b] - ax;
        const uy = positions[b + 1] - ay;
        const uz = positions[b + 2] - az;
        const vx = positions[c] - ax;
        const vy = positions[c + 1] - ay;
        const vz = positions[c + 2] - az;
        const nx = uy * vz - uz * vy;
        const ny = uz * vx - ux * vz;
        const nz = ux * vy - uy * vx;
        const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
        weights[triangles[t]] += area;
        weights[triangles[t + 1]] += area;
        weights[triangles[t + 2]] += area;
        normals[a] += nx;
        normals[a + 1] += ny;
        normals[a + 2] += nz;
        normals[b] += nx;
        normals[b + 1] += ny;
        normals[b + 2] += nz;
        normals[c] += nx;
        normals[c + 1] += ny;
        normals[c + 2] += nz;
    }
    for (let v = 0, k = 0; v < weights.length; ++v, k += 3) {
        if (weights[v] === 0)
            continue;
        const factor = 1 / weights[v];
        normals[k] *= factor;
        normals[k + 1] *= factor;
        normals[k + 2] *= factor;
    }
}
